import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockAt, SECONDS } from '../../../src/plan/reveal/course.ts';
import { EVENT_STYLES, motionAt } from '../../../src/plan/reveal/event-styles.ts';
import { STAMP_LARGE } from '../../../src/plan/reveal/spotlight.ts';
import { lookOf } from '../../../src/plan/theme/theme-looks.ts';
import { frames } from '../../../src/time.ts';
import { THEMES, type ThemeName } from '../../../src/timeline/choices.ts';
import { sampleEvent } from '../../paint/sample-plan.ts';

const FPS = 60;
const RATE = { num: FPS, den: 1 };
const event = sampleEvent({ item: 0, style: 'spotlight', at: frames(0) }, RATE);

/** A spotlight in a theme, at every frame from its start or its verdict. */
function looks(name: ThemeName, from: 'at' | 'verdict', seconds: number) {
  const { motion } = lookOf({ name });
  return Array.from({ length: Math.round(seconds * FPS) + 1 }, (_, n) => {
    return EVENT_STYLES.spotlight.look(clockAt(event, frames(event[from] + n), RATE, motion));
  });
}

test('[R37] every theme enters in its own way', () => {
  const first = (name: ThemeName) => looks(name, 'at', 0.05).at(-1)!;
  const largest = (name: ThemeName) => Math.max(...looks(name, 'at', 0.5).map(({ scale }) => scale));
  assert.ok(largest('midnight') === 1 && first('midnight').scale < 1, 'settles without a bounce');
  assert.ok(largest('pop') > 1.05 && Math.min(...looks('pop', 'at', 0.5).map(({ squash }) => squash)) < -0.5);
  assert.ok(
    looks('pop', 'at', 0.5).some(({ squash }) => squash > 0.1),
    'overshoots, and is squashed as it does',
  );
  assert.ok(first('broadcast').shown < 1 && first('chalk').shown < 1, 'from the left');
  assert.ok(first('paper').x > 0 && first('paper').y > 0, 'slides');
  assert.ok(
    looks('neon', 'at', 0.3).some(({ alpha }, n, all) => n > 0 && alpha < all[n - 1]!.alpha),
    'flickers',
  );
  assert.equal(new Set(looks('arcade', 'at', 0.24).map(({ scale }) => scale)).size, 3, '12 steps a second');
  assert.ok(looks('mono', 'at', 0).every(({ scale, alpha, shown }) => scale === 1 && alpha === 1 && shown === 1));
});

test('[R37] a theme has the lengths of the table, none longer than the stage waits', () => {
  const entered = { midnight: 0.35, pop: 0.45, broadcast: 0.25, neon: 0.3, mono: 0 } as const;
  for (const [name, seconds] of Object.entries(entered) as [ThemeName, number][]) {
    assert.equal(lookOf({ name }).motion.enter.seconds, seconds, name);
  }
  const { entrance, minHold, verdict, flight } = SECONDS.spotlight;
  for (const name of THEMES) {
    const { enter, leave, land, verdict: stamp } = lookOf({ name }).motion;
    assert.ok(enter.seconds <= entrance + minHold && stamp.seconds < verdict, name);
    assert.ok(leave.seconds <= flight && land.seconds <= SECONDS.spotlight.settles, name);
    assert.ok((stamp.from.scale ?? 1) <= STAMP_LARGE, name);
  }
});

test('[R19, R37] in no theme does an entrance or a stamp flash more than once', () => {
  for (const name of THEMES) {
    for (const [from, part] of [
      ['at', 'alpha'],
      ['at', 'glow'],
      ['verdict', 'stampAlpha'],
    ] as const) {
      const levels = looks(name, from, 0.6).map((look) => look[part]);
      const dips = levels.filter((level, n) => n > 1 && level < levels[n - 1]! && levels[n - 1]! >= levels[n - 2]!);
      assert.ok(dips.length <= 1, `${name} ${part}: ${dips.length} flashes`);
    }
  }
});

test('[R37] in steps: the pictures of a twelfth of a second are one', () => {
  const { motion } = lookOf({ name: 'arcade' });
  const at = (frame: number) => motionAt('spotlight', clockAt(event, frames(frame), RATE, motion), true);
  const different = new Set(Array.from({ length: FPS }, (_, n) => JSON.stringify(at(n))));
  assert.ok(different.size <= 13, `${different.size} pictures a second`);
});
