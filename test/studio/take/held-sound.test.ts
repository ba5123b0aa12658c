import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HeldSound } from '../../../src/studio/take/record/held-sound.ts';

const RATE = 4800;
const BUFFER = 48;
const BUFFER_MS = (BUFFER / RATE) * 1000;
const STARTED_MS = 5000;
/** The clock needs these to know how late a buffer usually is. */
const SETTLED_MS = 3000;

interface Device {
  readonly seconds: number;
  readonly ppm?: number;
  /** Whether the samples captured then never arrive. */
  readonly isLost?: (ms: number) => boolean;
  /** When a sample captured then arrives, apart from jitter. */
  readonly arrival?: (ms: number) => number;
}

interface Heard {
  /** By how many milliseconds a sample is at the wrong place, at most. */
  readonly maxOff: number;
  readonly silenceMs: number;
  readonly missingMs: number;
}

/** A device whose samples have the time of their capture as value. All that is written is compared with it. */
function hear({ seconds, ppm = 0, isLost = () => false, arrival = (ms) => ms }: Device, from = SETTLED_MS): Heard {
  const held = new HeldSound();
  const written = new Map<number, number>();
  let next = 0;
  const write = (buffers: ReturnType<HeldSound['release']>) => {
    for (const { sound, start } of buffers) {
      assert.equal(start, next, 'sound follows sound');
      next += sound.length;
      for (const [i, captured] of sound.planes.entries()) written.set(start + i, captured);
    }
  };
  let jitter = 1;
  let arrived = 0;
  for (let at = 1; at < seconds * RATE; at += BUFFER) {
    const ms = ((at + BUFFER) / RATE) * 1000;
    if (isLost(ms)) continue;
    jitter = (jitter * 48_271) % 2_147_483_647;
    arrived = Math.max(arrived, arrival(ms) + (jitter % 8));
    const planes = Float32Array.from({ length: BUFFER }, (_, i) => at + i);
    held.add({ planes, channels: 1, length: BUFFER }, RATE, STARTED_MS + arrived * (1 + ppm * 1e-6));
    write(held.release());
  }
  write(held.releaseAll());
  assert.equal(next, held.end);

  const { rate, offset } = held.line;
  let [maxOff, silence] = [0, 0];
  for (const [place, captured] of written) {
    const truth = STARTED_MS + (captured / RATE) * 1000 * (1 + ppm * 1e-6);
    if (captured === 0) silence += 1;
    else if (truth > STARTED_MS + from) {
      maxOff = Math.max(maxOff, Math.abs(offset + (rate * place * 1000) / RATE - truth));
    }
  }
  const captured = Math.floor((seconds * RATE) / BUFFER) * BUFFER;
  const ms = (samples: number) => (samples / RATE) * 1000;
  return { maxOff, silenceMs: ms(silence), missingMs: ms(captured - (written.size - silence)) };
}

const between = (from: number, to: number) => (ms: number) => ms > from && ms <= to;

describe('the sound of a take', () => {
  for (const stallMs of [300, 1500, 6000]) {
    test(`a burst after a stall of ${stallMs} ms is complete and in time`, () => {
      const isStalled = between(20_000, 20_000 + stallMs);
      const heard = hear({ seconds: 30, arrival: (ms) => (isStalled(ms) ? 20_000 + stallMs : ms) });
      assert.ok(heard.maxOff < 5, `${heard.maxOff} ms`);
      assert.deepEqual([heard.silenceMs, heard.missingMs], [0, 0]);
    });
  }

  test('after a stall, samples that arrive at 1.2 times their rate are not a loss', () => {
    const arrival = (ms: number) => (ms > 20_000 ? Math.max(ms, 21_000 + (ms - 20_000) / 1.2) : ms);
    const heard = hear({ seconds: 40, arrival });
    assert.ok(heard.maxOff < 5, `${heard.maxOff} ms`);
    assert.deepEqual([heard.silenceMs, heard.missingMs], [0, 0]);
  });

  for (const lostMs of [30, 210, 680, 3000]) {
    for (const ppm of [0, 100]) {
      test(`at ${ppm} ppm, silence takes the place of ${lostMs} lost ms, and no sample after it is early`, () => {
        const heard = hear({ seconds: 40, ppm, isLost: between(20_000, 20_000 + lostMs) });
        assert.ok(heard.maxOff < 12, `${heard.maxOff} ms`);
        assert.ok(Math.abs(heard.silenceMs - lostMs) < 10, `${heard.silenceMs} ms of silence`);
      });
    }
  }

  test('samples lost again and again, 10 ms at a time, add up to at most the bound', () => {
    const heard = hear({ seconds: 60, isLost: (ms) => ms > 5000 && ms % 1000 <= BUFFER_MS });
    assert.ok(heard.silenceMs > heard.missingMs * 0.9, `${heard.silenceMs} ms of ${heard.missingMs}`);
    assert.ok(heard.maxOff < 40, `${heard.maxOff} ms`);
  });

  test('samples that were taken for lost and arrive after all do not move the rest', () => {
    // Two seconds late at their usual rate, then all at once.
    const arrival = (ms: number) => (between(20_000, 24_000)(ms) ? ms + 2000 : Math.max(ms, ms > 24_000 ? 26_000 : 0));
    const heard = hear({ seconds: 40, arrival }, 30_000);
    assert.ok(heard.maxOff < 15, `${heard.maxOff} ms`);
    assert.ok(heard.silenceMs > 1000 && heard.missingMs > 1000, `${heard.silenceMs} and ${heard.missingMs} ms`);
  });
});
