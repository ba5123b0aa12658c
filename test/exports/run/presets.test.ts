import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExportError } from '../../../src/errors.ts';
import type { ExportView } from '../../../src/exports/api/export-view.ts';
import { SqliteJobQueue } from '../../../src/store/sqlite/sqlite-job-queue.ts';
import { uncancelled } from '../../uncancelled.ts';
import { ExportsFixture } from '../exports-fixture.ts';
import { refusingHost } from '../refusing-host.ts';

const SUBTITLES = ['a word', 'another'].map((text, n) => ({ text, start: n * 4, duration: 4 }));
const ONE_CHUNK = { timeline_data: { subtitles: SUBTITLES.slice(0, 1) } };
/** Unlike each other. */
const TWO_CHUNKS = { timeline_data: { subtitles: SUBTITLES } };

/** The use cases, and the render requests to children, in order. */
async function open(
  refuses: (operation: string, presets: readonly string[]) => ExportError | null = () => null,
  presetsMemoryBytes = 3 * 2 ** 30,
) {
  const asked: string[] = [];
  const exports = await ExportsFixture.open({}, undefined, ({ host }) => ({
    presetsMemoryBytes,
    host: refusingHost(host, (operation, presets) => {
      if (/chunks|presets/.test(operation)) asked.push(presets.join('+').replaceAll('preset_', ''));
      return refuses(operation, presets);
    }),
  }));
  return { exports, asked };
}

async function submit(exports: ExportsFixture, waits: boolean, documents = ONE_CHUNK): Promise<string> {
  return (await exports.api.submit(exports.submission(documents, {}, { waits }), uncancelled)).id;
}

/** All that is seen of an export until it has ended. */
function views(exports: ExportsFixture, id: string): Promise<ExportView[]> {
  return Array.fromAsync(exports.api.follow(id, uncancelled));
}

function states({ state, outputs }: ExportView): string[] {
  return [state, ...outputs.map((output) => output.state)];
}

test('[C12] the selected preset of a longer video is completed first, then the others together', async () => {
  const { exports, asked } = await open();
  await using _ = exports;
  exports.startWorker();
  const seen = await views(exports, await submit(exports, false, TWO_CHUNKS));
  assert.deepEqual(states(seen.at(-1)!), Array(4).fill('completed'), exports.logged.join('\n'));
  assert.deepEqual(asked, ['one', 'one', 'two+three', 'two+three']);
  const first = seen.find(({ outputs }) => outputs.some(({ state }) => state === 'completed'))!;
  assert.deepEqual(states(first).slice(0, 2), ['completed', 'completed']);
  assert.ok(!states(first).slice(2).includes('completed'), `${states(first)}`);
});

test('[C12] presets of one chunk without a waiting client are rendered together, each with its progress', async () => {
  const { exports, asked } = await open();
  await using _ = exports;
  exports.startWorker();
  const seen = await views(exports, await submit(exports, false));
  assert.deepEqual(states(seen.at(-1)!), Array(4).fill('completed'), exports.logged.join('\n'));
  assert.deepEqual(asked, ['one+two+three']);
  for (const place of [0, 1, 2]) {
    const progress = seen.map(({ outputs }) => outputs[place]!.progress);
    assert.deepEqual(
      progress,
      progress.toSorted((a, b) => a - b),
      'progress never falls',
    );
    assert.ok(
      progress.some((share) => share > 0 && share < 1),
      `${progress}`,
    );
  }
});

test('[C12] a preset whose chunk is cached is left out of the pass', async () => {
  const { exports, asked } = await open();
  await using _ = exports;
  const [waiting, patient] = [await submit(exports, true), await submit(exports, false)];
  exports.startWorker();
  for (const id of [waiting, patient]) {
    assert.deepEqual(states((await views(exports, id)).at(-1)!), Array(4).fill('completed'), exports.logged.join('\n'));
  }
  assert.deepEqual(asked, ['one', 'two+three']);
});

test('[C34] a preset that fails does not fail those rendered with it', async () => {
  const broken = new ExportError('invalid', 'media.broken', 'The clip is broken.');
  const { exports, asked } = await open((_, presets) => (presets.includes('preset_two') ? broken : null));
  await using _ = exports;
  exports.startWorker();
  const end = (await views(exports, await submit(exports, false))).at(-1)!;
  assert.deepEqual(states(end), ['completed', 'completed', 'failed', 'completed'], exports.logged.join('\n'));
  assert.equal(end.outputs[1]!.failure?.code, 'media.broken');
  // Together once, then each preset by itself.
  assert.equal(asked[0], 'one+two+three');
  assert.deepEqual(asked.toSorted(), ['one', 'one+two+three', 'three', 'two']);
  const left = await exports.ports.database.query(`select id from jobs where state not in ('done', 'failed')`);
  assert.deepEqual(left, []);
});

test('[C35] a job for several presets whose worker died twice is split by preset', async () => {
  const { exports, asked } = await open();
  await using _ = exports;
  const id = await submit(exports, false);
  // Two processes that took the first job and then died.
  for (const _died of [0, 1]) {
    assert.equal((await new SqliteJobQueue(exports.ports.database).claim())?.failures, 0);
  }
  exports.startWorker();
  assert.deepEqual(states((await views(exports, id)).at(-1)!), Array(4).fill('completed'), exports.logged.join('\n'));
  assert.deepEqual(asked.toSorted(), ['one', 'three', 'two']);
});

test('[R25] presets are rendered one by one if memory does not allow more', async () => {
  const { exports, asked } = await open(() => null, 1);
  await using _ = exports;
  exports.startWorker();
  assert.deepEqual(states((await views(exports, await submit(exports, false))).at(-1)!), Array(4).fill('completed'));
  assert.deepEqual(asked.toSorted(), ['one', 'three', 'two']);
});
