/** Numbers from 0 up to 1 that look like chance and are the same on every machine, every time. (mulberry32) */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Smooth noise in space: the stuff clouds, continents and nebulae are made of. */
export class Noise {
  readonly #values = new Float32Array(256);
  readonly #places = new Uint8Array(512);

  constructor(seed: number) {
    const random = seededRandom(seed);
    const order = Array.from({ length: 256 }, (_, n) => n);
    for (let n = 255; n > 0; n--) {
      const other = Math.floor(random() * (n + 1));
      [order[n], order[other]] = [order[other]!, order[n]!];
    }
    for (let n = 0; n < 512; n++) this.#places[n] = order[n & 255]!;
    for (let n = 0; n < 256; n++) this.#values[n] = random();
  }

  /** From 0 to 1, changing over a distance of about 1. */
  at(x: number, y: number, z: number): number {
    const [fx, fy, fz] = [Math.floor(x), Math.floor(y), Math.floor(z)];
    const [u, v, w] = [ease(x - fx), ease(y - fy), ease(z - fz)];
    const p = this.#places;
    const [x0, x1, y0, y1, z0, z1] = [fx & 255, (fx + 1) & 255, fy & 255, (fy + 1) & 255, fz & 255, (fz + 1) & 255];
    const corner = (a: number, b: number, c: number) => this.#values[p[p[p[a]! + b]! + c]!]!;
    const near = lerp(
      lerp(corner(x0, y0, z0), corner(x1, y0, z0), u),
      lerp(corner(x0, y1, z0), corner(x1, y1, z0), u),
      v,
    );
    const far = lerp(
      lerp(corner(x0, y0, z1), corner(x1, y0, z1), u),
      lerp(corner(x0, y1, z1), corner(x1, y1, z1), u),
      v,
    );
    return lerp(near, far, w);
  }

  /** Noise on top of ever finer noise; from 0 to 1, mostly near the middle. */
  fractal(x: number, y: number, z: number, octaves: number): number {
    let sum = 0;
    let weight = 0.5;
    let whole = 0;
    let scale = 1;
    for (let n = 0; n < octaves; n++) {
      sum += this.at(x * scale, y * scale, z * scale + n * 17.3) * weight;
      whole += weight;
      weight /= 2;
      scale *= 2.03;
    }
    return sum / whole;
  }
}

/** `a` at 0, `b` at 1. */
export function lerp(a: number, b: number, t: number): number {
  return a + (b - a) * t;
}

/** 0 up to `from`, 1 from `to` on, and a smooth way between. */
export function smoothStep(from: number, to: number, value: number): number {
  return ease(Math.min(1, Math.max(0, (value - from) / (to - from))));
}

function ease(t: number): number {
  return t * t * (3 - 2 * t);
}
