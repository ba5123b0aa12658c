import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ThirdRate } from '../../src/studio/device/third-rate.ts';

const RATE = 48_000;
/** The filter's reach, in samples of the result. */
const EDGE = 16;

function tone(hertz: number, samples: number, rate: number): Float32Array {
  return Float32Array.from({ length: samples }, (_, n) => Math.sin((2 * Math.PI * hertz * n) / rate));
}

/** In pieces of uneven lengths, as a mix comes. */
function converted(sound: Float32Array): Float32Array {
  const rate = new ThirdRate();
  const pieces: number[] = [];
  for (let at = 0, n = 0; at < sound.length; n += 1) {
    const end = at + [1, 7, 480, 1000, 0, 4799][n % 6]!;
    pieces.push(...rate.push(sound.subarray(at, end)));
    at = end;
  }
  pieces.push(...rate.push(new Float32Array(480)));
  return Float32Array.from(pieces);
}

test('[C97] sound at 16 kHz is in time with its source, keeps voices and has nothing that was above them', () => {
  for (const hertz of [100, 1000, 4000, 6500]) {
    const made = converted(tone(hertz, RATE, RATE));
    const wanted = tone(hertz, RATE / 3, RATE / 3);
    let worst = 0;
    for (let n = EDGE; n < wanted.length - EDGE; n += 1) worst = Math.max(worst, Math.abs(made[n]! - wanted[n]!));
    assert.ok(worst < 0.03, `${hertz} Hz: off by ${worst}`);
  }
  for (const hertz of [9500, 12_000, 16_000, 20_000]) {
    const loudest = converted(tone(hertz, RATE, RATE))
      .subarray(EDGE, RATE / 3 - EDGE)
      .reduce((max, x) => Math.max(max, Math.abs(x)), 0);
    assert.ok(loudest < 0.01, `${hertz} Hz is heard with ${loudest}`);
  }
});
