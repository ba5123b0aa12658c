// Four at a time, since V8 does not unroll loops: the overhead of an iteration is more than a comparison or a product.

/** The largest absolute value. */
export function peakOf(samples: Float32Array): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = 0;
  for (; i + 4 <= samples.length; i += 4) {
    const one = Math.abs(samples[i]!);
    const two = Math.abs(samples[i + 1]!);
    const three = Math.abs(samples[i + 2]!);
    const four = Math.abs(samples[i + 3]!);
    if (one > a) a = one;
    if (two > b) b = two;
    if (three > c) c = three;
    if (four > d) d = four;
  }
  for (; i < samples.length; i++) a = Math.max(a, Math.abs(samples[i]!));
  return Math.max(a, b, c, d);
}

/** The sum of squares. */
export function energyOf(samples: Float32Array): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = 0;
  for (; i + 4 <= samples.length; i += 4) {
    a += samples[i]! * samples[i]!;
    b += samples[i + 1]! * samples[i + 1]!;
    c += samples[i + 2]! * samples[i + 2]!;
    d += samples[i + 3]! * samples[i + 3]!;
  }
  for (; i < samples.length; i++) a += samples[i]! * samples[i]!;
  return a + b + c + d;
}
