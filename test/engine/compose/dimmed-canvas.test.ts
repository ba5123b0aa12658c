import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Frame } from 'node-av/lib';
import { DimmedCanvas } from '../../../src/engine/compose/dimmed-canvas.ts';
import { FramePool } from '../../../src/engine/libav/frame-pool.ts';
import { PicturePool } from '../../../src/engine/libav/picture-pool.ts';
import type { PaintedPicture } from '../../../src/plan/model/painter.ts';
import { type PlainPicture, plainCanvas, plainPatched } from './plain-canvas.ts';

/** Numbers that look random, the same for the same seed. */
function noise(seed: number): (below: number) => number {
  let state = seed | 1;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/**
 * A painted picture: one quarter transparent, one opaque, one in between, each in runs of 32 pixels of two rows; in the last
 * quarter pixels of all kinds are mixed.
 */
function noisyPainted(rect: PaintedPicture['rect'], next: (below: number) => number): PaintedPicture {
  const rgba = new Uint8Array(rect.width * rect.height * 4);
  const stretches = Array.from({ length: Math.ceil(rect.width / 32) * Math.ceil(rect.height / 2) }, () => next(4));
  for (let at = 0; at < rgba.length; at += 4) {
    const [row, column] = [Math.floor(at / 4 / rect.width), (at / 4) % rect.width];
    const stretch = stretches[(row >> 1) * Math.ceil(rect.width / 32) + (column >> 5)]!;
    const alpha = [0, 255, next(256)][stretch === 3 ? next(3) : stretch]!;
    rgba.set([next(alpha + 1), next(alpha + 1), next(alpha + 1), alpha], at);
  }
  return { rect, rgba };
}

function noisyPicture(width: number, height: number, next: (below: number) => number): PlainPicture {
  const plane = (samples: number) => Uint8Array.from({ length: samples }, () => next(256));
  const quarter = (width * height) / 4;
  return { width, height, planes: [plane(width * height), plane(quarter), plane(quarter)] };
}

/** Visits every row of a frame's planes. */
function eachRow(
  frame: Frame,
  { width, height, planes }: PlainPicture,
  visit: (inFrame: Uint8Array, row: Uint8Array) => void,
): void {
  const data = frame.data!;
  for (const [index, plane] of planes.entries()) {
    const [columns, rows] = index === 0 ? [width, height] : [width / 2, height / 2];
    for (let row = 0; row < rows; row += 1) {
      const start = row * frame.linesize[index]!;
      visit(data[index]!.subarray(start, start + columns), plane.subarray(row * columns, (row + 1) * columns));
    }
  }
}

const SIDE = fc.integer({ min: 1, max: 90 }).map((half) => 2 * half);
// Integers: most doubles would be almost 0, and pictures two pixels wide.
const SHARE = fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100);
const EDGE = fc.tuple(SHARE, SHARE);

/** A range on even edges inside of `length`. */
function part(length: number, [from, to]: readonly [number, number]): readonly [start: number, length: number] {
  const [first, last] = [from, to].sort().map((share) => 2 * Math.floor((share * length) / 2)) as [number, number];
  return [Math.min(first, length - 2), Math.max(2, last - first)];
}

test('[R19] vector code combines patch, dim and painted pictures to the same bits as scalar code', () => {
  fc.assert(
    fc.property(
      fc.tuple(SIDE, SIDE, fc.integer()),
      fc.array(fc.tuple(EDGE, EDGE), { maxLength: 3 }),
      fc.option(fc.integer({ min: 1, max: 256 })),
      fc.boolean(),
      fc.constantFrom(undefined, null, 60, 250),
      ([width, height, seed], places, dimmed, isPatched, dimmedBefore) => {
        const next = noise(seed);
        const picture = noisyPicture(width, height, next);
        const painted = places.map(([across, down]) => {
          const [[x, wide], [y, tall]] = [part(width, across), part(height, down)];
          return noisyPainted({ x, y, width: wide, height: tall }, next);
        });
        const color = [next(256), next(256), next(256)] as const;
        const dimOf = (parts: number | null) => (parts === null ? null : { color, alpha: parts / 256 });
        const dim = dimOf(dimmed);
        using pool = new FramePool();
        using pictures = new PicturePool(pool, width, height);
        const [from, under, into] = [pictures.take(), pictures.take(), pictures.take()];
        eachRow(from, picture, (inFrame, row) => inFrame.set(row));
        const below = noisyPicture(width, height, next);
        eachRow(under, below, (inFrame, row) => inFrame.set(row));
        const [patch, above] = isPatched ? [painted[0] ?? null, painted.slice(1)] : [null, painted];
        const patched = patch === null ? picture : plainPatched(picture, { ...patch, under: below });
        const canvas = new DimmedCanvas({ width, height });
        // Earlier pictures and dims leave no trace.
        const before = noisyPainted({ x: 0, y: 0, width, height }, next);
        canvas.put(under);
        canvas.show({ patch: null, dim, above: [before] }, into);
        canvas.put(from);
        if (dimmedBefore !== undefined) canvas.show({ patch: null, dim: dimOf(dimmedBefore), above: [before] }, into);
        canvas.show({ patch: patch && { ...patch, under }, dim, above }, into);
        const rows: [Uint8Array, Uint8Array][] = [];
        eachRow(into, plainCanvas(patched, dim, above), (inFrame, row) => rows.push([inFrame, row]));
        const isSame = rows.every(([shown, expected]) => Buffer.compare(shown, expected) === 0);
        for (const frame of [from, under, into]) pool.give(frame);
        assert.ok(isSame);
      },
    ),
    { numRuns: 60 },
  );
});
