import { randomUUID } from 'node:crypto';
import type { BatchView } from '../../../src/exports/api/batches-api.ts';
import { BATCH_NEWS } from '../../../src/exports/batches/keep-batches.ts';
import { uncancelled } from '../../uncancelled.ts';
import type { ExportsFixture } from '../exports-fixture.ts';

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
