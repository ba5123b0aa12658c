import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Export, Output } from '../../../packages/client/src/client.ts';
import { shareOf } from '../../../src/studio/export/export-progress.ts';
import {
  exportTitle,
  isTakenByYouTube,
  readyWords,
  stateWords,
  timeWords,
} from '../../../src/studio/export/export-words.ts';
import { type Sample, withShare } from '../../../src/studio/kit/time-left.ts';

const STOPPED = { code: 'output.stopped', detail: 'The render of this preset was stopped.', errors: [] };

function output(state: Output['state'], progress: number, error?: Output['error']): Output {
  const size = { width: 1920, height: 1080, bytes: null, sha256: null };
  return { state, progress, ...size, ...(error !== undefined && { error }) } as Output;
}

function view(...outputs: Output[]): Pick<Export, 'outputs' | 'error'> {
  return { outputs: Object.fromEntries(outputs.map((each, i) => [`preset_${i}`, each])) };
}

test('the progress of an export counts all formats: two unfinished ones are not 100 %', () => {
  assert.equal(shareOf(view(output('completed', 1), output('queued', 0), output('rendering', 0.5))), 0.5);
  assert.equal(shareOf(view(output('completed', 1), output('failed', 0.4, STOPPED), output('queued', 0))), 0.5);
});

test('the time left is estimated from the pace of the last minute, and is absent without one', () => {
  const at = (ms: number, share: number): Sample => ({ ms, share });
  assert.equal(timeWords([], 0), null);
  // It paused for 200 s, then went on: the pause is not part of the pace.
  const resumed = [at(0, 0), at(4000, 0.02), at(204_000, 0.03), at(214_000, 0.13)];
  assert.equal(timeWords(resumed, 214_000), 'About 90 s left.');
  assert.match(timeWords(resumed, 244_000)!, /^No progress for 30 s\./);
  assert.equal(timeWords([at(0, 0), at(4000, 0.2)], 4000), null, 'too early to say');
});

test('progress that falls starts a new measurement; unchanged progress is the same sample', () => {
  const first = withShare([], shareOf(view(output('rendering', 0.4))), 1000);
  assert.equal(withShare(first, shareOf(view(output('rendering', 0.4))), 9000), first);
  assert.deepEqual(withShare(first, shareOf(view(output('rendering', 0.1))), 9000), [{ ms: 9000, share: 0.1 }]);
});

test('each state has its text: a stopped format is stopped, a finished one ready, an interrupted one waits to continue', () => {
  assert.deepEqual(
    [
      output('completed', 1),
      output('failed', 0.2, STOPPED),
      output('queued', 0),
      output('queued', 0.3),
      output('rendering', 0),
      output('rendering', 0.345),
    ].map(stateWords),
    ['Ready', 'Stopped', 'Queued', '30 % · interrupted, queued again', 'Starting', '34 %'],
  );
  const ended = view(output('completed', 1), output('failed', 0.2, STOPPED), output('failed', 0, STOPPED));
  assert.equal(exportTitle(ended), 'Stopped');
  assert.equal(readyWords(ended), 'One of the three formats is ready.');
  assert.equal(readyWords(view(output('completed', 1))), 'The format is ready.');
  assert.equal(readyWords(view(output('completed', 1), output('completed', 1))), 'Both formats are ready.');
  assert.equal(exportTitle(view(output('failed', 0, STOPPED), output('rendering', 0.2))), 'Rendering your video');
  assert.equal(exportTitle(view(output('completed', 1), output('queued', 0))), 'Your video is queued');
});

test('chapters that YouTube ignores are detected: fewer than three, or closer than 10 s', () => {
  assert.equal(isTakenByYouTube('0:00 Intro\n0:10 Popcorn\n1:00:00 Chips'), true);
  assert.equal(isTakenByYouTube('0:00 Intro\n0:09 Popcorn\n0:30 Chips'), false);
  assert.equal(isTakenByYouTube('0:00 Intro\n0:20 Popcorn'), false);
});
