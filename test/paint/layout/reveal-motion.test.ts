import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  hasLanded,
  landingAt,
  liftedAt,
  motionAt,
  popAt,
  roomAt,
  shakeAt,
  slamAt,
  spotlightAt,
} from '../../../src/paint/layout/reveal-motion.ts';
import { EVENT_SECONDS, LANDING_SECONDS } from '../../../src/plan/event-times.ts';

const STYLES = ['pop', 'spotlight', 'slam', 'move'] as const;

test('[R19] motion ends exactly at rest', () => {
  for (const style of STYLES) {
    assert.equal(roomAt(style, 1), 1);
    assert.deepEqual(landingAt(style, 1), { scale: 1, flash: 0 });
    assert.ok(hasLanded(style, 1));
  }
  assert.deepEqual(popAt(1), { scale: 1, alpha: 1 });
  assert.deepEqual(shakeAt(1), { x: 0, y: 0 });
  assert.equal(liftedAt(1).lift, 0);
  assert.equal(liftedAt(1).sign, 0);
  const { flight, dim, name, glow, stampAlpha } = spotlightAt(1);
  assert.deepEqual({ flight, dim, name, glow, stampAlpha }, { flight: 1, dim: 0, name: 0, glow: 0, stampAlpha: 0 });
});

test('[R19] a small step in time is a small step in everything that moves, but for what a landing sets off', () => {
  for (const style of STYLES) {
    const step = 1e-4;
    const lands = LANDING_SECONDS[style] / EVENT_SECONDS[style];
    for (let progress = 0; progress < 1 - step; progress += step) {
      if (style !== 'pop' && Math.abs(progress - lands) < 2 * step) continue;
      const [before, after] = [motionAt(style, progress, true), motionAt(style, progress + step, true)];
      for (const [at, value] of before.entries()) {
        assert.ok(Math.abs(after[at]! - value) < 60 * step, `${style} ${at} jumps at ${progress}`);
      }
    }
  }
});

test('[R19, R22] the canvas changes all at once for no longer than it takes to see it dim and lighten, and rests at the end', () => {
  const dimming = Array.from({ length: 161 }, (_, at) => spotlightAt(at / 160).dim);
  const changing = dimming.filter((dim, at) => dim !== dimming[at - 1]).length / 100;
  assert.ok(changing < 0.3, `${changing} s`);
  const at = (seconds: number) => motionAt('spotlight', seconds / EVENT_SECONDS.spotlight, false);
  assert.deepEqual(at(1.53), at(1.59));
});

test('[R13, R19] a spotlight is held still between its spring and its stamp; a slam hits within 0.2 s', () => {
  const at = (seconds: number) => motionAt('spotlight', seconds / EVENT_SECONDS.spotlight, false);
  assert.deepEqual(at(0.33), at(0.77));
  assert.notDeepEqual(at(0.3), at(0.33));
  assert.equal(spotlightAt(1.2 / EVENT_SECONDS.spotlight).flight, 1);
  assert.ok(Math.max(...[0.05, 0.1, 0.15].map((seconds) => spotlightAt(seconds / EVENT_SECONDS.spotlight).scale)) > 1);
  assert.equal(slamAt(0.2 / EVENT_SECONDS.slam).approach, 1);
  assert.notDeepEqual(shakeAt(0.21 / EVENT_SECONDS.slam), { x: 0, y: 0 });
  assert.deepEqual(shakeAt(0.19 / EVENT_SECONDS.slam), { x: 0, y: 0 });
});
