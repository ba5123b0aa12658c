import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BusAdder } from '../../src/engine/sound/mixer.ts';
import { ClipSound } from '../../src/sound/clip-sound.ts';
import { silentStereo } from '../../src/sound/dsp/stereo.ts';
import type { SoundSource } from '../../src/sound/dsp/time-stretch.ts';
import { micros } from '../../src/time.ts';
import { clipAt } from '../engine/sound/sound-plan.ts';

const HALF_AN_HOUR = 1800 * 48_000;
/** In microseconds; none is a whole number of samples. */
const WINDOWS = [333_333, 257_188, 20_011, 1_000_007];

/** A source whose samples give their position. */
const PLACES: SoundSource = {
  read(at, { left, right }) {
    for (let n = 0; n < left.length; n++) left[n] = right[n] = (at + n) / 65_536;
  },
};

for (const length of WINDOWS) {
  test(`[C36] a loop of ${length} µs is less than a sample off after half an hour`, () => {
    const trim = { start: micros(500_000), end: micros(500_000 + length) };
    for (const speed of [1_000_000, 1_250_000, 300_000]) {
      const clip = clipAt(0, HALF_AN_HOUR + 96_000, { trim, speed, loop: true });
      using sound = new ClipSound(clip, new BusAdder(1));
      const { until } = sound.need(HALF_AN_HOUR, HALF_AN_HOUR + 96_000 * 4);
      const exact = (length * 48_000) / speed;
      const passes = until / exact;
      assert(Math.abs(passes - Math.round(passes)) * exact < 1, `a pass begins at ${until}, ${passes} passes`);
    }
    const clip = clipAt(0, HALF_AN_HOUR + 96_000, { trim, loop: true });
    using sound = new ClipSound(clip, new BusAdder(1));
    const bus = silentStereo(48_000);
    sound.addTo(bus, HALF_AN_HOUR, PLACES);
    const exact = length * 0.048;
    for (let n = 0; n < bus.left.length; n++) {
      const into = (HALF_AN_HOUR + n) % exact;
      // Where a pass begins it takes 5 ms to leave the level of the one before; where it ends a sample may be held.
      if (into < 242 || into > exact - 2) continue;
      const played = bus.left[n]! * 65_536 - 24_000;
      assert(Math.abs(played - into) < 1, `sample ${n} plays ${played}, due is ${into}`);
    }
  });
}

test('[C36] a pass that is a sample longer than its trim ends with its last sample, not with what follows', () => {
  // 960.4 samples.
  const trim = { start: micros(0), end: micros(20_009) };
  const loud: SoundSource = {
    read(at, { left, right }) {
      for (let n = 0; n < left.length; n++) left[n] = right[n] = at + n < 960 ? 0.25 : 1;
    },
  };
  for (const block of [1, 7, 960, 4096]) {
    using sound = new ClipSound(clipAt(0, 20_000, { trim, loop: true }), new BusAdder(1));
    for (let at = 0; at < 10_000; at += block) {
      const bus = silentStereo(block);
      sound.addTo(bus, at, loud);
      assert(
        bus.left.every((value) => value <= 0.25),
        `from ${at}, by ${block}`,
      );
    }
  }
});
