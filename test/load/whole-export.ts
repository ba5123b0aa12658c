import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { ExportMetadata } from '../../src/http/replies/export-replies.ts';
import { download, reached, statusOf } from '../service/export-client.ts';
import type { Deployment } from '../service/service-fixture.ts';

const END_SECONDS = 120;
const FPS = 30;
/** All rows that are about exports, beside their jobs. */
const TABLES = ['exports', 'outputs', 'uploads', 'live_frames', 'part_pins', 'unfinished_media'];

/** Queries the database of a deployment, as an operator does. */
export type Query = (sql: string) => Promise<readonly object[]>;

/** Waits for the end of an export: its videos that are rendered without a request are complete, at every API node. */
export async function assertWhole(deployment: Deployment, id: string, prerendered: 'selected' | 'all'): Promise<void> {
  const presetsOf = ({ settings, outputs }: ExportMetadata) =>
    prerendered === 'all' ? Object.keys(outputs) : [settings.preset];
  /** null while one of them is not done. While nodes restart a request may fail; the next one succeeds. */
  const ended = async (): Promise<ExportMetadata | null> => {
    const metadata = await statusOf(deployment, id).catch(() => null);
    if (metadata !== null && presetsOf(metadata).every((preset) => hasEnded(metadata.outputs[preset]!)))
      return metadata;
    await delay(100);
    return null;
  };
  const metadata = await reached(`the end of ${id}`, ended, END_SECONDS).catch(async (error) => {
    throw new Error(`${error}\n${JSON.stringify(await statusOf(deployment, id))}\n${troubles(deployment)}`);
  });
  assert.equal(metadata.state, 'completed', `${JSON.stringify(metadata)}\n${troubles(deployment)}`);
  const answering = deployment.nodes.filter(({ base }) => base !== '');
  for (const preset of presetsOf(metadata)) {
    const { state, sha256 } = metadata.outputs[preset]!;
    assert.equal(state, 'completed', `${preset} of ${JSON.stringify(metadata)}\n${troubles(deployment)}`);
    const { seconds, frames } = await download(deployment, metadata, preset);
    assert.deepEqual([seconds, frames], [metadata.duration, metadata.duration! * FPS]);
    for (const { base } of answering) {
      const reply = await fetch(`${base}${metadata.downloads[preset]}`, { method: 'HEAD' });
      assert.deepEqual([reply.status, reply.headers.get('etag')], [200, `"${sha256}"`]);
    }
  }
}

function hasEnded({ state }: { readonly state: string }): boolean {
  return state !== 'queued' && state !== 'rendering';
}

/** Each frame of a completed video was counted once. */
export async function assertCountedOnce(query: Query): Promise<void> {
  const outputs = await query(
    `select export_id, frames_done, total_frames, jobs_left from outputs
     where state = 'completed' and (frames_done <> total_frames or jobs_left <> 0)`,
  );
  assert.deepEqual(outputs, [], 'each frame is counted once');
}

/** With the last export, all rows about exports are gone, and their jobs. */
export async function assertNoRows(query: Query, jobs: string): Promise<void> {
  for (const rows of [...TABLES, jobs]) assert.deepEqual(await query(`select * from ${rows}`), [], rows);
}

/** The last warnings and errors in the logs of nodes. */
function troubles({ nodes }: Deployment): string {
  const lines = nodes.flatMap((node) => node.lines.filter((line) => /"level":[456]0/.test(line)));
  return lines.slice(-20).join('\n');
}
