import type { Issue } from '../../errors.ts';
import { type BatchView, ROW_STATES } from '../../exports/api/batches-api.ts';
import type { ListPlace } from '../../exports/api/export-view.ts';
import type { BatchRow } from '../../store/records/batch-records.ts';
import type { Presets } from '../../timeline/presets.ts';
import { downloadPath } from './export-replies.ts';
import { cursorOf } from './list-query.ts';
import { FAILURE, WARNINGS } from './problem.ts';
import {
  choice,
  integer,
  iso,
  isoOrNull,
  list,
  moment,
  named,
  nullable,
  number,
  object,
  of,
  path,
  record,
  reference,
  Schema,
  SUCCEEDED,
  type TypeOf,
  text,
} from './schema.ts';

export function batchPath(id: string): string {
  return `/batches/${id}`;
}

const BATCH_ID = text('The id of the batch.', { format: 'uuid' });
const ROW_STATE = choice(
  ROW_STATES,
  '`waiting`: it has no export yet. `invalid`: its values are wrong, and it is never made. Otherwise the state of its export.',
);

const COUNTS = object<Readonly<Record<(typeof ROW_STATES)[number], number>>>({
  waiting: integer('Rows without an export.'),
  queued: integer('Rows whose export waits.'),
  rendering: integer('Rows whose export renders.'),
  completed: integer('Rows whose video is ready.'),
  failed: integer('Rows that failed; a retry makes them again.'),
  cancelled: integer('Rows that were cancelled.'),
  invalid: integer('Rows with wrong values.'),
});

const LINKS = of<string>().object({
  self: [path('This batch.'), (self) => self],
  rows: [path('Its rows.'), (self) => `${self}/rows`],
  results: [path('Its table, with what became of each row.'), (self) => `${self}/results.csv`],
  retry: [path('`POST` makes failed rows again.'), (self) => `${self}/retry`],
});

/** A batch as clients see it. (C85) */
export const BATCH = of<BatchView>().named('Batch', 'Many exports of one project.', {
  ok: SUCCEEDED,
  batch_id: [BATCH_ID, ({ id }) => id],
  state: [
    choice(['running', 'completed', 'cancelled'], '`completed`: every row has ended, whether or not it failed.'),
    ({ state }) => state,
  ],
  project_id: [text('The project.', { format: 'uuid' }), ({ projectId }) => projectId],
  revision: [integer('Its revision.'), ({ revision }) => revision],
  rows: [integer('How many rows it has.'), ({ total }) => total],
  counts: [COUNTS.about('How many rows are in each state.'), ({ counts }) => counts],
  progress: [
    number('The share of rows that have ended.', { minimum: 0, maximum: 1 }),
    ({ progress }) => Math.round(progress * 1e4) / 1e4,
  ],
  metadata: [
    record(text(), 'What each of its exports has as `metadata`.'),
    ({ fields }) => (fields.metadata === null ? {} : JSON.parse(fields.metadata)),
  ],
  created_at: [moment('When the service accepted it.'), ({ createdAtMs }) => iso(createdAtMs)],
  ended_at: [nullable(moment('When its last row ended; null before.')), ({ endedAtMs }) => isoOrNull(endedAtMs)],
  estimated_end: [
    nullable(moment('When it probably ends, from the rows that have; null without any.')),
    ({ estimatedEndMs }) => isoOrNull(estimatedEndMs),
  ],
  expires_at: [
    nullable(moment('When the service forgets it; null until it ends.')),
    ({ expiresAtMs }) => isoOrNull(expiresAtMs),
  ],
  links: [LINKS.about('The other addresses of the batch.'), ({ id }) => LINKS.write(batchPath(id))],
});

export const BATCH_LIST = of<{
  readonly batches: readonly BatchView[];
  readonly next: ListPlace | null;
  readonly warnings: readonly Issue[];
}>().named('BatchList', 'A page of your batches.', {
  ok: SUCCEEDED,
  batches: [list(BATCH, 'Newest first.'), ({ batches }) => batches.map((batch) => BATCH.write(batch))],
  next: [
    nullable(text('The `cursor` of the next page; null if there is none.')),
    ({ next }) => (next === null ? null : cursorOf(next)),
  ],
  warnings: [WARNINGS, ({ warnings }) => warnings],
});

/** The body of the event of a batch. */
export const BATCH_EVENT = named<unknown>('BatchEvent', {
  type: 'object',
  description: 'A batch has ended.',
  required: ['type', 'timestamp', 'data'],
  properties: {
    type: { const: 'batch.completed', description: 'The event.' },
    timestamp: { type: 'string', format: 'date-time', description: 'When the last row ended.' },
    data: { ...reference('Batch'), description: 'The batch at that time.' },
  },
});

/** A row, and the presets of the deployment. */
type RowView = BatchRow & { readonly presets: Presets };

const DOWNLOADS = record(text(undefined, { format: 'uri-reference' }), 'The address of each video.');

const BATCH_ROW = of<RowView>().named('BatchRow', 'A row of a batch and what became of it.', {
  row: [integer('Its place among the rows, from 0, as in the paths of errors.'), ({ number: row }) => row],
  video: [nullable(text('Its cell in the column `video`; null if there is none.')), ({ video }) => video],
  state: [ROW_STATE, ({ state }) => state],
  values: [record(new Schema<unknown>({}), 'Its values.'), ({ values }) => JSON.parse(values)],
  export_id: [nullable(text('Its export; null if there is none.', { format: 'uuid' })), ({ exportId }) => exportId],
  downloads: [
    new Schema<Readonly<Record<string, string>> | null>({
      anyOf: [DOWNLOADS, { type: 'null' }],
      description: 'The address of each video, as long as the export is kept; null without an export.',
    }),
    ({ exportId, presets }) => downloadsOf(exportId, presets),
  ],
  error: [
    new Schema<TypeOf<typeof FAILURE> | null>({ anyOf: [FAILURE, { type: 'null' }], description: 'Why it failed.' }),
    ({ error }) => error && FAILURE.write(error),
  ],
});

export function downloadsOf(exportId: string | null, presets: Presets): Record<string, string> | null {
  if (exportId === null) return null;
  return Object.fromEntries(presets.map(({ name }) => [name, downloadPath(exportId, name)]));
}

export const BATCH_ROWS = of<{
  readonly rows: readonly RowView[];
  readonly next: string | null;
}>().named('BatchRows', 'A page of the rows of a batch.', {
  ok: SUCCEEDED,
  rows: [list(BATCH_ROW, 'In their order.'), ({ rows }) => rows.map((row) => BATCH_ROW.write(row))],
  next: [nullable(text('The `cursor` of the next page; null if there is none.')), ({ next }) => next],
});
