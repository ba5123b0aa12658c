import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RenderPlan } from '../../src/plan/model/render-plan.ts';
import { neededSources, pictureSources, soundSources } from '../../src/plan/plan-outline.ts';
import { type Frames, frames } from '../../src/time.ts';

const range = (start: number, end: number) => ({ start: frames(start), end: frames(end) });
const clip = (source: number, start: number, end: number) => ({ source, shows: range(start, end) });

/** Three clips one after the other, a picture of an item, a font, and a sound. */
const PLAN = {
  clips: [clip(0, 0, 100), clip(1, 100, 200), clip(2, 200, 300)],
  board: { items: [{ image: 3 }, { image: null }] },
  theme: { font: { source: 4, families: {} } },
  painted: { title: [], subtitle: [] },
  audio: { clips: [{ source: 0 }, { source: 5 }, { source: 'pop' }] },
} as unknown as RenderPlan;

function needed(...ranges: { start: Frames; end: Frames }[]): number[] {
  return [...pictureSources(PLAN, ranges)].sort();
}

test('frames need the clips they show, and everything that the layout of the board depends on', () => {
  assert.deepEqual(needed(range(0, 100)), [0, 3, 4]);
  assert.deepEqual(needed(range(99, 101)), [0, 1, 3, 4]);
  assert.deepEqual(needed(range(0, 1), range(299, 300)), [0, 2, 3, 4]);
  assert.deepEqual(needed(range(300, 400)), [3, 4]);
});

test('the sound needs what is heard and is not a made sound', () => {
  assert.deepEqual([...soundSources(PLAN)], [0, 5]);
});

test('each chunk, the sound and the poster have their own sources', () => {
  const chunks = [range(0, 100), range(100, 250)];
  assert.deepEqual(neededSources({ ...PLAN, chunks } as unknown as RenderPlan, frames(299)), {
    chunks: [
      [0, 3, 4],
      [1, 2, 3, 4],
    ],
    sound: [0, 5],
    poster: [2, 3, 4],
  });
});
