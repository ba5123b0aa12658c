import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { AV_PIX_FMT_YUVA420P } from 'node-av/constants';
import { Frame } from 'node-av/lib';
import { writePainted } from '../../../src/engine/compose/painted-frames.ts';
import { plainPlanes } from './plain-planes.ts';

/** Pixels with premultiplied alpha, in runs that are opaque, empty, or anything. */
const pixels = (count: number) =>
  fc
    .array(fc.tuple(fc.constantFrom(0, 255, null), fc.integer({ min: 1, max: 40 }), fc.infiniteStream(fc.nat(255))), {
      minLength: 1,
      maxLength: 12,
    })
    .map((stretches) => {
      const rgba = new Uint8Array(count * 4);
      for (let at = 0, next = 0; at < count; next += 1) {
        const [alpha, length, values] = stretches[next % stretches.length]!;
        const value = () => values.next().value as number;
        for (const end = Math.min(count, at + length); at < end; at += 1) {
          const seen = alpha ?? value();
          const color = [value(), value(), value()].map((channel) => Math.round((channel * seen) / 255));
          rgba.set([...color, seen], at * 4);
        }
      }
      return rgba;
    });

const picture = fc
  .tuple(fc.integer({ min: 1, max: 45 }), fc.integer({ min: 1, max: 70 }))
  .chain(([halfWidth, halfHeight]) =>
    fc.record({
      width: fc.constant(2 * halfWidth),
      height: fc.constant(2 * halfHeight),
      rgba: pixels(4 * halfWidth * halfHeight),
    }),
  );

test('[R4] vector code converts painted pixels to the same samples as scalar code, for any size and position', () => {
  fc.assert(
    fc.property(picture, fc.nat(9), fc.nat(9), ({ width, height, rgba }, right, down) => {
      using frame = new Frame();
      frame.alloc();
      Object.assign(frame, { width: width + 20, height: height + 20, format: AV_PIX_FMT_YUVA420P });
      frame.getBuffer();
      for (const plane of frame.data!) plane.fill(77);
      const [x, y] = [2 * right, 2 * down];
      writePainted(frame, { x: 100, y: 60 }, { rect: { x: 100 + x, y: 60 + y, width, height }, rgba });
      const plain = plainPlanes(rgba, width);
      for (const [plane, name] of (['y', 'u', 'v', 'a'] as const).entries()) {
        const shift = plane === 1 || plane === 2 ? 1 : 0;
        const stride = frame.linesize[plane]!;
        for (let row = 0; row < (height + 20) >> shift; row += 1) {
          const samples = [...frame.data![plane]!.subarray(row * stride, row * stride + ((width + 20) >> shift))];
          const inside = row - (y >> shift);
          const isIn = inside >= 0 && inside < height >> shift;
          const written = isIn ? plain[name].slice(inside * (width >> shift), (inside + 1) * (width >> shift)) : [];
          const expected = samples.map(() => 77);
          expected.splice(x >> shift, written.length, ...written);
          assert.deepEqual(samples, expected, `${name}, row ${row}`);
        }
      }
    }),
    { numRuns: 40 },
  );
});
