import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TransportStamp } from '../../../src/engine/input/joined-clock.ts';
import { ClockEpochs, wrappedDifference } from '../../../src/engine/input/joined-clock.ts';

const [PICTURE, SOUND] = [256, 257];
const TURN = 2 ** 33;
const SECOND = 90_000;

/** Thirty frames a second, not in the order in which they are shown, and sound in between; `seconds` long and `from` ticks on. */
function recording(seconds: number, from: number): Omit<TransportStamp, 'at'>[] {
  const stamps: Omit<TransportStamp, 'at'>[] = [];
  for (let n = 0; n < seconds * 30; n++) {
    const dts = from + n * 3000;
    // Every third is shown after the two that follow it in the file.
    stamps.push({ pid: PICTURE, dts, pts: dts + (n % 3 === 0 ? 4 : 1) * 3000 });
    for (let frame = 0; frame < 2; frame++) {
      const time = dts + frame * 1500;
      stamps.push({ pid: SOUND, dts: time, pts: time });
    }
  }
  return stamps.map(({ pid, pts, dts }) => ({ pid, pts: pts % TURN, dts: dts % TURN }));
}

/** When each timestamp of the picture is decoded on the clock of the file, in frames from the first. */
function decodedAt(stamps: readonly Omit<TransportStamp, 'at'>[], start: number): number[] {
  const epochs = new ClockEpochs(PICTURE);
  const placed = stamps.map((stamp, at) => ({ ...stamp, at }));
  for (const stamp of placed) epochs.add(stamp);
  const laid = epochs.laidOut(start);
  return placed
    .filter(({ pid }) => pid === PICTURE)
    .map(({ at, dts }) => {
      const { first, base } = laid.findLast(({ from }) => from <= at)!;
      return (base + wrappedDifference(dts - first) - start) / 3000;
    });
}

const steadily = (count: number) => Array.from({ length: count }, (_, n) => n);

test('[R21] joined recordings follow each other, whatever the order of their clocks', () => {
  for (const second of [0, 5 * SECOND, 3600 * SECOND, TURN - 2 * SECOND]) {
    const stamps = [...recording(4, 1000 * SECOND), ...recording(3, second)];
    assert.deepEqual(decodedAt(stamps, 1000 * SECOND), steadily(210), `${second}`);
  }
});

test('[R21] a clock that wraps around is one clock', () => {
  assert.deepEqual(decodedAt(recording(6, TURN - 2 * SECOND), TURN - 2 * SECOND), steadily(180));
});

test('[R21] a stray timestamp does not move what follows it', () => {
  const stamps = recording(6, 0);
  for (const at of [200, 301]) stamps[at] = { ...stamps[at]!, dts: 7000 * SECOND, pts: 7000 * SECOND };
  const found = decodedAt(stamps, 0);
  const off = found.flatMap((frame, n) => (frame === n ? [] : [n]));
  assert(off.length <= 1, `frames ${off} are elsewhere`);
});

test('[R21] a jump in the sound alone does not move the picture', () => {
  const stamps = recording(6, 0).map((stamp, n) =>
    stamp.pid === SOUND && n > 250 ? { ...stamp, dts: stamp.dts + 60 * SECOND, pts: stamp.pts + 60 * SECOND } : stamp,
  );
  assert.deepEqual(decodedAt(stamps, 0), steadily(180));
});
