import { type Code, i32, i32x4, type Local, sequence, v128 } from './wasm-program.ts';

// How kernels split painted pixels: eight of two rows at once; every four share one sample of each chroma plane.

/** Red and blue of a pixel, with room to add up four; green and alpha, shifted there. */
export const PAIR = 0xff00ff;

/** Four pixels each: two of a row and two of the one below; then their channels, in pairs. `pair` has `PAIR` in every lane. */
type PixelVectors = Readonly<
  Record<'p0' | 'p1' | 'p2' | 'p3' | 'rb0' | 'rb1' | 'ga0' | 'ga1' | 'rb' | 'ga' | 'pair', Local>
>;

export function loadPixels({ p0, p1, p2, p3 }: PixelVectors, row: Local, below: Local): Code {
  return sequence(
    p0.set(v128.load(row.get)),
    p1.set(v128.load(row.get, 16)),
    p2.set(v128.load(below.get)),
    p3.set(v128.load(below.get, 16)),
  );
}

/** What any pixel has, and what all have. */
export function anyOf({ p0, p1, p2, p3 }: PixelVectors): Code {
  return v128.or(v128.or(p0.get, p1.get), v128.or(p2.get, p3.get));
}

export function allOf({ p0, p1, p2, p3 }: PixelVectors): Code {
  return v128.and(v128.and(p0.get, p1.get), v128.and(p2.get, p3.get));
}

/**
 * Runs `first` with the channels of the first row in `rb0` to `ga1`, then `second` with those of the second, and leaves
 * the sums of every four pixels in `rb` and `ga`. Overwrites the pixels.
 */
export function rowByRow(vectors: PixelVectors, first: Code, second: Code): Code {
  const { p0, p1, p2, p3, rb0, rb1, ga0, ga1, rb, ga } = vectors;
  return sequence(
    channels(vectors, p0, p1),
    first,
    // The first row's channels replace values that are no longer needed.
    p0.set(rb0.get),
    p1.set(rb1.get),
    rb.set(ga0.get),
    ga.set(ga1.get),
    channels(vectors, p2, p3),
    second,
    p0.set(i32x4.add(p0.get, rb0.get)),
    p1.set(i32x4.add(p1.get, rb1.get)),
    p2.set(i32x4.add(rb.get, ga0.get)),
    p3.set(i32x4.add(ga.get, ga1.get)),
    rb.set(sums(p0, p1)),
    ga.set(sums(p2, p3)),
  );
}

function channels({ pair, rb0, rb1, ga0, ga1 }: PixelVectors, left: Local, right: Local): Code {
  return sequence(
    rb0.set(v128.and(left.get, pair.get)),
    rb1.set(v128.and(right.get, pair.get)),
    ga0.set(v128.and(i32x4.shiftRight(left.get, 8), pair.get)),
    ga1.set(v128.and(i32x4.shiftRight(right.get, 8), pair.get)),
  );
}

/** Sums of two neighbours each, of sums of two rows. */
function sums(one: Local, other: Local): Code {
  return i32x4.add(v128.pick(one.get, other.get, [0, 2, 4, 6]), v128.pick(one.get, other.get, [1, 3, 5, 7]));
}

/** Four samples, without the constant part. */
export function samplesOf(rb: Local, ga: Local, ofRb: Local, ofGa: Local): Code {
  return i32x4.add(i32x4.dotOf16(rb.get, ofRb.get), i32x4.dotOf16(ga.get, ofGa.get));
}

/** The same for luma, whose weight of green does not fit 16 bits with a sign: `ofGa` has it less 2 ** 16. */
export function lumaOf(rb: Local, ga: Local, ofRb: Local, ofGa: Local): Code {
  return i32x4.add(samplesOf(rb, ga, ofRb, ofGa), i32x4.shiftLeft(ga.get, 16));
}

/** The same in four lanes. */
export function every(lane: number): Code {
  return v128.constant(Array.from({ length: 4 }, () => lane));
}

/** For neighbours of 16 bits: one for the lower, one for the upper. */
export function pairs(lower: number, upper: number): Code {
  return v128.constant(Array.from({ length: 4 }, () => [lower, upper]).flat());
}

/** Moves an address on. */
export function advance(address: Local, bytes: number): Code {
  return address.set(i32.add(address.get, i32.constant(bytes)));
}
