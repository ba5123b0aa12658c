import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDrawn } from '../../src/plan/frame-runs.ts';
import type { RenderPlan } from '../../src/plan/render-plan.ts';
import { frames } from '../../src/time.ts';

test('[R18] a range is drawn where no clip of it moves, however far it reaches into its spans', () => {
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
  const drawn = (start: number, end: number) => isDrawn(plan, { start: frames(start), end: frames(end) });
  assert.deepEqual(
    [drawn(0, 60), drawn(0, 61), drawn(20, 40), drawn(59, 60), drawn(70, 80), drawn(110, 120), drawn(120, 150)],
    [true, false, true, true, false, false, false],
  );
});
