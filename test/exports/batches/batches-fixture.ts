import { randomUUID } from 'node:crypto';
import type { BatchView } from '../../../src/exports/api/batches-api.ts';
import { BATCH_NEWS } from '../../../src/exports/batches/keep-batches.ts';
import { CLIP } from '../../service/sample-request.ts';
import { uncancelled } from '../../uncancelled.ts';
import type { ExportsFixture } from '../exports-fixture.ts';
import { putMedia } from '../media/put-media.ts';

/** A template of a text and an optional number, without media. */
export const TEMPLATE = {
  tier_list: { title: '{{title}}' },
  timeline_data: { subtitles: [{ text: '{{title}}', start: 0, duration: '{{seconds}}' }] },
  fields: {
    title: { type: 'text', max: 50, required: true },
    seconds: { type: 'number', min: 0.5, max: 60, default: 1 },
  },
};

/** Stores a project. Returns its id. */
export async function saveProject(exports: ExportsFixture, project: object, tenant = 'default'): Promise<string> {
  const id = randomUUID();
  const document = new TextEncoder().encode(JSON.stringify(project));
  await exports.parts.projects.save(tenant, id, document, () => {}, uncancelled);
  return id;
}

/** A batch of JSON rows. */
export async function createBatch(
  exports: ExportsFixture,
  project: string,
  rows: readonly object[],
  fields: Readonly<Record<string, string>> = {},
  tenant = 'default',
): Promise<BatchView> {
  const sent = { texts: new Map(Object.entries({ project, ...fields })), isCsv: false };
  const body = new TextEncoder().encode(JSON.stringify(rows));
  const submission = { tenant, ...sent, rows: body, idempotencyKey: null, requestHash: '' };
  return (await exports.parts.batches.create(submission, uncancelled)).batch;
}

/** A batch whose rows all fail when they are made: a file of its project is lost after it was accepted. */
export async function createFailingBatch(
  exports: ExportsFixture,
  rows: readonly object[],
  fields: Readonly<Record<string, string>> = {},
): Promise<BatchView> {
  const { sha256 } = await putMedia(exports, CLIP.file);
  const timeline_data = { ...TEMPLATE.timeline_data, videos: [{ file_field: 'clip', start: 0, duration: 1 }] };
  const media = { clip: `sha256:${sha256}` };
  const batch = await createBatch(
    exports,
    await saveProject(exports, { ...TEMPLATE, media, timeline_data }),
    rows,
    fields,
  );
  await exports.ports.media.delete('default', sha256, exports.ports.database);
  return batch;
}

/** A feeder that runs until it is disposed, as on a leader. */
export function feeder(exports: ExportsFixture): AsyncDisposable {
  const stop = new AbortController();
  const running = exports.parts.feeding.run(stop.signal);
  return {
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      exports.ports.changes.notify(BATCH_NEWS);
      await running;
    },
  };
}
