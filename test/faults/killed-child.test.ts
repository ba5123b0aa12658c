import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DEFAULT_MEDIA_LIMITS } from '../../src/engine/input/media-limits.ts';
import { ExportError } from '../../src/errors.ts';
import type { ExportView } from '../../src/exports/api/export-view.ts';
import type { RenderOperations } from '../../src/sandbox/child/render-operations.ts';
import { DEFAULT_CHILD_ALLOWANCE } from '../../src/sandbox/host/child-limits.ts';
import type { RenderChild } from '../../src/sandbox/render-child.ts';
import { type ChildTask, RenderHost } from '../../src/sandbox/render-host.ts';
import { ExportsFixture } from '../exports/exports-fixture.ts';
import { descendantsOf } from '../service/process-tree.ts';
import { CLIP } from '../service/sample-request.ts';
import { uncancelled } from '../uncancelled.ts';
import { KillingHost, type Sentence } from './killing-host.ts';

const OPTIONS = {
  mode: 'auto',
  allowance: DEFAULT_CHILD_ALLOWANCE,
  mediaLimits: DEFAULT_MEDIA_LIMITS,
} as const;
const OPERATIONS = ['render_chunks', 'render_sound', 'assemble', 'render_still'] as const;

/** An export of three seconds; another title makes other pictures and another sound, so that nothing is shared. */
function documents(title: string) {
  return {
    tier_list: { title },
    timeline_data: {
      videos: [{ file_field: 'clip', duration: 3, volume: title.length / 10 }],
      subtitles: [{ text: title, start: 0, duration: 3 }],
    },
  };
}

async function open(sentence: Sentence): Promise<{ exports: ExportsFixture; host: KillingHost }> {
  const host = new KillingHost(OPTIONS, sentence);
  return { exports: await ExportsFixture.open({ prerender: 'selected' }, undefined, () => ({ host })), host };
}

/** Takes in an export of that title. */
async function submit(exports: ExportsFixture, title: string, tenant = 'default'): Promise<string> {
  const submission = exports.submission(documents(title), { clip: CLIP.file }, { tenant });
  const { id } = await exports.api.submit(submission, uncancelled);
  for (const { path } of submission.uploads.values()) rmSync(path, { force: true });
  return id;
}

/** The export at its end. */
async function followed(exports: ExportsFixture, id: string): Promise<ExportView> {
  return (await Array.fromAsync(exports.api.follow(id, uncancelled))).at(-1)!;
}

/** Every file below a part of the data folder. */
function files(exports: ExportsFixture, part: string): string[] {
  const root = join(exports.folder, part);
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}

/** A path without its random ids: those of exports, and those that keep a late writer from replacing a file. */
function unnamed(file: string): string {
  return file.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID');
}

/** The first request of each operation kills its child. */
function once(signals: Readonly<Partial<Record<keyof RenderOperations, NodeJS.Signals>>>): Sentence {
  const left = new Map(Object.entries(signals));
  return (op) => {
    const chosen = left.get(op) ?? null;
    left.delete(op);
    return chosen;
  };
}

test('[C35, H26] children killed by SIGKILL and SIGSEGV during a chunk, the sound, the assembly and the poster cost only time', async () => {
  const { exports: calm } = await open(() => null);
  await using _calm = calm;
  const undisturbed = await submit(calm, 'Killed');
  calm.startWorker();
  const [output] = (await followed(calm, undisturbed)).outputs;
  for (const [first, second] of [
    ['SIGKILL', 'SIGSEGV'],
    ['SIGSEGV', 'SIGKILL'],
  ] as const) {
    const sentence = once({ render_chunks: first, render_sound: second, assemble: first, render_still: second });
    const { exports, host } = await open(sentence);
    await using _exports = exports;
    const id = await submit(exports, 'Killed');
    exports.startWorker();
    const view = await followed(exports, id);
    assert.equal(view.state, 'completed', exports.logged.join('\n'));
    assert.deepEqual(host.killed.toSorted(), OPERATIONS.toSorted());
    assert.equal(view.outputs[0]?.sha256, output?.sha256, '[R18] the same bytes as if nothing had happened');
    assert.deepEqual(files(exports, 'blobs').map(unnamed).sort(), files(calm, 'blobs').map(unnamed).sort());
    await exports.stop();
    assert.deepEqual(files(exports, 'work'), []);
  }
});

for (const op of ['render_chunks', 'render_sound', 'assemble'] as const) {
  test(`[C35, H26] an export whose ${op} kills every child fails at the third try; other exports are not affected`, async () => {
    const { exports, host } = await open((asked, plan) =>
      asked === op && plan?.title === 'Poison' ? 'SIGKILL' : null,
    );
    await using _exports = exports;
    const [poison, healthy] = [await submit(exports, 'Poison'), await submit(exports, 'Neighbour')];
    exports.startWorker();
    const [failed, neighbour] = await Promise.all([poison, healthy].map((id) => followed(exports, id)));
    assert.deepEqual([failed?.state, neighbour?.state], ['failed', 'completed'], exports.logged.join('\n'));
    assert.deepEqual([failed?.failure?.kind, failed?.failure?.code], ['internal', 'render.crashed']);
    assert.deepEqual(host.killed, [op, op, op]);
    assert.equal(await exports.api.openOutput(poison, 'preset_one'), null);

    assert.ok(await exports.api.remove('default', poison));
    await exports.stop();
    assert.deepEqual(
      files(exports, 'blobs').filter((file) => file.includes(poison)),
      [],
    );
    assert.deepEqual(files(exports, 'work'), []);
    assert.deepEqual(descendantsOf(process.pid), [], 'no process is left');
  });
}

test('[C34, H26] a child that dies during a probe gets a second try, and then the file is refused', async () => {
  const chance = await open(once({ probe: 'SIGKILL' }));
  await using lucky = chance.exports;
  await submit(lucky, 'Lucky');
  assert.deepEqual(chance.host.killed, ['probe']);

  const { exports, host } = await open((op) => (op === 'probe' ? 'SIGKILL' : null));
  await using _exports = exports;
  await assert.rejects(submit(exports, 'Hopeless'), (error) => {
    assert.ok(error instanceof ExportError);
    assert.deepEqual([error.kind, error.issues[0]?.path], ['invalid', '/timeline_data/videos/0/file_field']);
    return true;
  });
  assert.equal(host.killed.length, 2);
  assert.deepEqual(files(exports, 'blobs'), []);
});

test('[H26] a child that dies during its start is started up to three times for a waiting request', async () => {
  let deaths = 2;
  class DyingHost extends RenderHost {
    override async open(task: ChildTask): Promise<RenderChild> {
      if (deaths-- > 0) throw new ExportError('internal', 'render.start_failed', 'The render process did not start.');
      return super.open(task);
    }
  }
  const host = new DyingHost(OPTIONS);
  await using exports = await ExportsFixture.open({}, undefined, () => ({ host }));
  await submit(exports, 'Late');
  deaths = 3;
  await assert.rejects(
    // For another tenant the file is new, and has to be probed.
    submit(exports, 'Never', 'another'),
    (error) => error instanceof ExportError && error.code === 'render.start_failed',
  );
});
