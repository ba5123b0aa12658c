import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TimeRules } from '../../../src/studio/document/entries.ts';
import { cutsOf, framesIn, pausesOnTimeline, verdictFrames } from '../../../src/studio/document/found-pauses.ts';
import { EMPTY_PROJECT, type TimelineData } from '../../../src/studio/document/project.ts';
import { NO_COURSES } from '../../../src/studio/document/reveal-course.ts';
import { frameRate } from '../../../src/time.ts';

const rules: TimeRules = { rate: frameRate(30), trimEndAs: 'out_point', sourceLength: () => 30 };

function timeline(tiles: readonly { readonly position: number; readonly stamp_at?: number }[]): TimelineData {
  return {
    ...EMPTY_PROJECT.timeline_data,
    videos: [
      { id: 'a', file_field: 'take', start: 0, duration: 10 },
      { id: 'b', file_field: 'take', start: 10, duration: 10, trim_start: 12 },
    ],
    tier_tiles: tiles.map((tile, index) => ({ id: `t${index}`, tier_item_id: `i${index}`, ...tile })),
  } as unknown as TimelineData;
}

const CLIPS = [
  { lane: 'videos', id: 'b' },
  { lane: 'videos', id: 'a' },
] as const;

test('[C78] a pause that a verdict ends, or follows within a second, is before a verdict', () => {
  const pauses = [
    { start: 2, end: 3 },
    { start: 5, end: 6 },
    { start: 8, end: 9 },
  ];
  const found = (tiles: Parameters<typeof timeline>[0]) => {
    const data = timeline(tiles);
    return pausesOnTimeline(data, [CLIPS[1]], () => pauses, verdictFrames(data, NO_COURSES, rules), rules)
      .filter(({ isBeforeVerdict }) => isBeforeVerdict)
      .map(({ frames }) => frames.start / 30);
  };
  assert.deepEqual(found([]), []);
  assert.deepEqual(found([{ position: 1, stamp_at: 2.5 }]), [2], 'during it');
  assert.deepEqual(found([{ position: 1, stamp_at: 3.9 }]), [2], 'soon after it');
  assert.deepEqual(found([{ position: 1, stamp_at: 4.1 }]), [], 'later');
  assert.deepEqual(found([{ position: 1, stamp_at: 1.9 }]), [], 'before it');
  assert.deepEqual(found([{ position: 6.5 }]), [5], 'a reveal without a verdict of its own');
});

test('[C78] pauses of several clips are in the order of time, and one that continues is one cut', () => {
  const data = timeline([]);
  const all = pausesOnTimeline(
    data,
    CLIPS,
    () => [
      { start: 9.5, end: 13 },
      { start: 15, end: 16 },
    ],
    [],
    rules,
  );
  assert.deepEqual(
    all.map(({ key, frames }) => [key, frames.start, frames.end]),
    [
      ['a 9.5', 285, 300],
      ['b 9.5', 300, 330],
      ['b 15', 390, 420],
    ],
  );
  const cuts = cutsOf(all);
  assert.deepEqual(cuts, [
    { start: 285, end: 330 },
    { start: 390, end: 420 },
  ]);
  assert.equal(framesIn(cuts), 75);
});
