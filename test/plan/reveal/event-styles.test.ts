import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockAt, type EventClock, LONGEST_MOTION } from '../../../src/plan/reveal/course.ts';
import {
  dimAt,
  EVENT_STYLES,
  type EventStyleName,
  hasLanded,
  motionAt,
  roomAt,
  shakeAt,
} from '../../../src/plan/reveal/event-styles.ts';
import { MIDNIGHT } from '../../../src/plan/theme/midnight.ts';
import type { ThemeLook } from '../../../src/plan/theme/theme-look.ts';
import { lookOf } from '../../../src/plan/theme/theme-looks.ts';
import { type Frames, frames } from '../../../src/time.ts';
import { THEMES } from '../../../src/timeline/choices.ts';
import { sampleEvent } from '../../paint/sample-plan.ts';

const STYLES = Object.keys(EVENT_STYLES) as EventStyleName[];
const { spotlight, pop, slam, move } = EVENT_STYLES;
const MICROS = { num: 1_000_000, den: 1 };

/** An event of that style at any second since it started, to the microsecond. */
function clockOf(style: EventStyleName, seconds: number, { motion }: Pick<ThemeLook, 'motion'> = MIDNIGHT): EventClock {
  const event = sampleEvent({ item: 0, style, at: frames(0) }, MICROS);
  return clockAt(event, Math.round(seconds * 1e6) as Frames, MICROS, motion);
}

/** When that style is over. */
function secondsOf(style: EventStyleName): number {
  return sampleEvent({ item: 0, style, at: frames(0) }, MICROS).end / 1e6;
}

test('[R19, R37] motion ends exactly at rest, in every theme', () => {
  for (const [style, theme] of STYLES.flatMap((each) => THEMES.map((name) => [each, lookOf({ name })] as const))) {
    const { room, landed, shake } = EVENT_STYLES[style];
    const end = clockOf(style, secondsOf(style), theme);
    assert.ok(end.isOver && hasLanded(end));
    assert.deepEqual([room(end), roomAt(style, end)], [1, 1]);
    assert.deepEqual(landed(end), { scale: 1, alpha: 1, squash: 0, label: 1, sweep: 1, light: 0 });
    assert.deepEqual(shake?.(end) ?? { x: 0, y: 0 }, { x: 0, y: 0 });
  }
  assert.deepEqual(move.look(clockOf('move', secondsOf('move'))), { lift: 0, sign: 0 });
  const { flight, name, glow, stampAlpha, kick } = spotlight.look(clockOf('spotlight', 2.94));
  assert.deepEqual([flight, name, glow, stampAlpha, kick], [1, 0, 0, 0, 0]);
  assert.equal(dimAt('spotlight', clockOf('spotlight', 2.94)), 0);
});

test('[R18] the effects of an event are over when keys treat it as long ago', () => {
  for (const [style, name] of STYLES.flatMap((each) => THEMES.map((theme) => [each, theme] as const))) {
    const { motion } = lookOf({ name });
    const frame = { start: 0, verdict: 0, takeOff: 0, lightens: 0, lands: 0, isOver: false, motion };
    for (const milestone of ['start', 'verdict', 'takeOff', 'lightens', 'lands'] as const) {
      const since = (seconds: number) => motionAt(style, { ...frame, [milestone]: seconds }, true);
      assert.deepEqual(since(LONGEST_MOTION), since(600), `${style} ${milestone}`);
      assert.deepEqual(since(-1 / 60), since(-600), `${style} ${milestone}`);
    }
  }
});

test('[R19] a small step in time is a small step in everything that moves, except where a verdict or a landing starts an effect', () => {
  // A theme that cuts or moves in steps jumps on purpose. (R37)
  const smooth = THEMES.map((name) => lookOf({ name })).filter(
    ({ motion }) => motion.steps === null && motion.leave.seconds > 0,
  );
  assert.equal(smooth.length, THEMES.length - 2);
  for (const [style, theme] of STYLES.flatMap((each) => smooth.map((look) => [each, look] as const))) {
    const step = 4e-4;
    for (let seconds = 0; seconds < secondsOf(style) - step; seconds += step) {
      const [clock, next] = [clockOf(style, seconds, theme), clockOf(style, seconds + step, theme)];
      const starts = (['verdict', 'lands'] as const).some((frame) => clock[frame] < 0 && next[frame] >= 0);
      if (starts || (style === 'pop' && seconds === 0)) continue;
      const [before, after] = [motionAt(style, clock, true), motionAt(style, next, true)];
      for (const [at, value] of before.entries()) {
        assert.ok(Math.abs(after[at]! - value) < 200 * step, `${style} ${at} jumps at ${seconds}`);
      }
    }
  }
});

test('[R19, R22] the whole canvas changes only while the dim fades in and out', () => {
  const dimming = Array.from({ length: 295 }, (_, at) => dimAt('spotlight', clockOf('spotlight', at / 100)));
  const changing = dimming.filter((dim, at) => dim !== dimming[at - 1]).length / 100;
  assert.ok(changing < 0.3, `${changing} s`);
});

test('[R41] a held card comes nearer by 4 % in steps that repeat; the stamp pushes it by 2 %', () => {
  const look = (seconds: number) => spotlight.look(clockOf('spotlight', seconds));
  const held = Array.from({ length: 27 }, (_, n) => look(0.35 + n / 30).nearness);
  assert.ok(held.every((size, n) => n === 0 || size >= held[n - 1]!));
  assert.deepEqual([held[0], look(1.24).nearness.toFixed(3)], [1, '1.040']);
  const different = new Set(held).size;
  assert.ok(different > 8 && different <= 13, `${different} sizes in ${held.length} frames`);
  const pushed = Math.max(...Array.from({ length: 18 }, (_, n) => look(1.25 + n / 100).nearness));
  assert.ok(pushed > 1.058 && pushed <= 1.06, `${pushed}`);
  assert.equal(look(1.5).nearness.toFixed(3), '1.040');
});

test('[R41] a verdict in the first or the last row shakes the picture for three frames, one in the last presses the card down', () => {
  for (const weight of [undefined, 'top', 'bottom'] as const) {
    const event = { ...sampleEvent({ item: 0, style: 'spotlight', at: frames(0) }), ...(weight && { weight }) };
    const rate = { num: 30, den: 1 };
    const shakes = Array.from(
      { length: 90 },
      (_, n) => shakeAt('spotlight', clockAt(event, frames(n), rate, MIDNIGHT.motion)).y,
    );
    assert.equal(shakes.filter((y) => y !== 0).length, weight === undefined ? 0 : 3);
    const { drop } = spotlight.look(clockAt(event, frames(event.verdict + 10), rate, MIDNIGHT.motion));
    assert.equal(drop, weight === 'bottom' ? 1 : 0);
  }
});

test('[R26] a spotlight rests from the stamp to take-off', () => {
  const at = (seconds: number) => motionAt('spotlight', clockOf('spotlight', seconds), true);
  assert.notDeepEqual(at(0.24), at(0.36));
  assert.notDeepEqual(at(1.24), at(1.25));
  assert.deepEqual(at(1.44), at(2.02));
  assert.notDeepEqual(at(1.38), at(1.44));
  assert.notDeepEqual(at(2.02), at(2.06));
});

test('[R22] motion too small to see is at rest: those frames are one picture', () => {
  const at = (seconds: number) => motionAt('spotlight', clockOf('spotlight', seconds), true);
  assert.deepEqual(at(0.32), at(0.36), 'the entrance at its end');
  assert.deepEqual(at(1.42), at(2.02), 'the card after the stamp');
  assert.deepEqual(at(2.87), at(2.94), 'the light along the row');
});

test('[R26] entrance, stamp, flight and landing have the times of the table', () => {
  const look = (seconds: number) => spotlight.look(clockOf('spotlight', seconds));
  assert.deepEqual([look(1.249).stampAlpha > 0, look(1.25).stampAlpha > 0], [false, true]);
  const sizes = Array.from({ length: 19 }, (_, n) => look(1.25 + n / 100).stamp);
  assert.ok(Math.abs(sizes[0]! - 1.7) < 1e-9 && Math.abs(Math.min(...sizes) - 0.965) < 1e-3);
  assert.ok(Math.abs(sizes.at(-1)! - 1) < 1e-9);
  assert.ok(Math.max(...Array.from({ length: 18 }, (_, n) => look(1.25 + n / 100).kick)) > 0.95);
  assert.deepEqual([look(2.03).flight, look(2.48).flight], [0, 1]);
  const landed = (seconds: number) => spotlight.landed(clockOf('spotlight', seconds));
  const after = Array.from({ length: 47 }, (_, n) => landed(2.48 + n / 100));
  assert.ok(Math.abs(Math.max(...after.map(({ label }) => label)) - 1.12) < 1e-3);
  assert.ok(Math.abs(landed(2.48 + 0.22).label - 1) < 1e-9);
  assert.ok(Math.abs(Math.max(...after.map(({ light }) => light)) - 0.35) < 1e-6);
  assert.equal(
    after.findIndex(({ light }) => light > 0.349),
    6,
  );
});

test('[R30] a slam hangs for 0.12 s, hits 0.17 s later, is squashed and shakes the board for 0.35 s', () => {
  const look = (seconds: number) => slam.look(clockOf('slam', seconds));
  assert.deepEqual([look(0.1).approach, look(0.12).approach, look(0.29).approach], [0, 0, 1]);
  assert.ok(look(0.13).approach > 0 && look(0.2).approach < 0.5, 'ever faster');
  const after = (seconds: number) => clockOf('slam', 0.29 + seconds);
  assert.deepEqual([slam.landed(after(0)).squash, slam.landed(after(0.2)).squash], [1, 0]);
  assert.deepEqual(slam.shake!(clockOf('slam', 0.28)), { x: 0, y: 0 });
  assert.ok(Math.abs(slam.shake!(after(0)).y) === 1 && Math.abs(slam.shake!(after(0.34)).y) > 0);
  assert.deepEqual(slam.shake!(after(0.35)), { x: 0, y: 0 });
});

test('[R30, R37] a pop drops from 1.6 of its size within 0.28 s, and a ring expands for 0.35 s', () => {
  const look = (seconds: number) => pop.look(clockOf('pop', seconds));
  const sizes = Array.from({ length: 29 }, (_, n) => look(n / 100).scale);
  assert.ok(Math.abs(sizes[0]! - 1.6) < 1e-9 && Math.abs(sizes.at(-1)! - 1) < 1e-9);
  assert.ok(
    sizes.every((size) => size >= 1),
    'without a bounce',
  );
  assert.deepEqual([hasLanded(clockOf('pop', 0.27)), hasLanded(clockOf('pop', 0.28))], [false, true]);
  assert.ok(look(0.3).ring > 0 && look(0.6).ring < 1);
  assert.equal(look(0.63).ring, 1);
});
