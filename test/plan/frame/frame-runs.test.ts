import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutsIn, materialOf } from '../../../src/plan/frame/frame-runs.ts';
import type { RenderPlan } from '../../../src/plan/model/render-plan.ts';
import { frames } from '../../../src/time.ts';
import { fileSource, videoPlan } from '../../engine/video-plan.ts';

test('[R18] a range is drawn where no clip of it moves, and moved where only pictures do, however far it reaches into its spans', () => {
  const span = (start: number, end: number, ...clips: number[]) => ({
    start: frames(start),
    end: frames(end),
    layers: clips.map((clip) => ({ kind: 'clip', index: clip }) as const),
  });
  const plan = {
    clips: [
      { kind: 'still', motion: null },
      { kind: 'video', motion: null },
      { kind: 'animation', motion: null },
      { kind: 'still', motion: {} },
    ],
    spans: [span(0, 30, 0), span(30, 60), span(60, 90, 0, 1), span(90, 120, 2), span(120, 150, 3)],
  } as unknown as RenderPlan;
  const material = (start: number, end: number) => materialOf(plan, { start: frames(start), end: frames(end) });
  assert.deepEqual(
    [material(0, 60), material(0, 61), material(20, 40), material(59, 60), material(70, 80), material(110, 120)],
    ['drawn', 'filmed', 'drawn', 'drawn', 'filmed', 'filmed'],
  );
  assert.deepEqual([material(120, 150), material(130, 180), material(110, 130)], ['moved', 'moved', 'filmed']);
});

test('[R17] runs of moving pictures are cut where another picture or a board starts or ends, not where a text does', () => {
  const timeline = {
    videos: [
      { file_field: 'a', duration: 2, motion: 'ken_burns' },
      { file_field: 'b', start: 2, duration: 3, motion: 'ken_burns' },
    ],
    tier_blocks: [{ start: 3, duration: 1, height_percent: 50 }],
    subtitles: [{ text: 'hello', start: 1, duration: 3.5 }],
  };
  const photo = { kind: 'still', duration: 0 } as const;
  const { plan } = videoPlan({ a: fileSource('a.png', photo), b: fileSource('b.png', photo) }, timeline);
  const cuts = (start: number, end: number) => [...cutsIn(plan, { start: frames(start), end: frames(end) })];
  assert.deepEqual([cuts(0, 150), cuts(60, 100), cuts(10, 50)], [[60, 90, 120], [90], []]);
});
