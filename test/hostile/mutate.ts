import type { Random } from './random.ts';

type Mutation = (bytes: Buffer, random: Random, other: Buffer) => Buffer;

/** Numbers at which lengths, counts and offsets go wrong. */
const EXTREMES = [0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff];

/** Where headers are: most of the data that a demuxer trusts is at either end of a file. */
function place(bytes: Buffer, random: Random): number {
  const near = Math.min(bytes.length, 600);
  const [head, tail] = [random.below(near), bytes.length - 1 - random.below(near)];
  return random.of([head, head, tail, random.below(bytes.length)]);
}

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  cutOff: (bytes, random) => bytes.subarray(0, 1 + random.below(bytes.length)),

  flipBits: (bytes, random) => {
    const flipped = Buffer.from(bytes);
    for (let flips = 1 + random.below(24); flips > 0; flips--) flipped[place(bytes, random)]! ^= 1 << random.below(8);
    return flipped;
  },

  setExtremes: (bytes, random) => {
    const set = Buffer.from(bytes);
    for (let times = 1 + random.below(3); times > 0; times--) {
      const size = random.of([1, 2, 4]);
      const at = Math.min(place(bytes, random), bytes.length - size);
      const value = random.of(EXTREMES) % 2 ** (8 * size);
      if (random.below(2) === 0) set.writeUIntBE(value, Math.max(0, at), size);
      else set.writeUIntLE(value, Math.max(0, at), size);
    }
    return set;
  },

  fill: (bytes, random) => {
    const filled = Buffer.from(bytes);
    const at = random.below(bytes.length);
    return filled.fill(random.of([0, 0xff, random.below(256)]), at, Math.min(bytes.length, at + 1 + random.below(200)));
  },

  leaveOut: (bytes, random) => {
    const at = place(bytes, random);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random.below(64))]);
  },

  repeat: (bytes, random) => {
    const at = place(bytes, random);
    const part = bytes.subarray(at, at + 1 + random.below(400));
    const times = 1 + random.below(20);
    return Buffer.concat([bytes.subarray(0, at), ...Array.from({ length: times }, () => part), bytes.subarray(at)]);
  },

  splice: (bytes, random, other) => {
    const from = random.below(other.length);
    return Buffer.concat([bytes.subarray(0, 1 + random.below(bytes.length)), other.subarray(from)]);
  },
};

const ALL = Object.values(MUTATIONS);

/** The bytes after one to three mutations, never empty; `other` may be mixed in. */
export function mutate(bytes: Buffer, random: Random, other: Buffer): Buffer {
  let mutated = bytes;
  for (let times = 1 + random.below(3); times > 0 && mutated.length > 8; times--) {
    mutated = random.of(ALL)(mutated, random, other);
  }
  return mutated.length === 0 ? bytes.subarray(0, 1) : mutated;
}
