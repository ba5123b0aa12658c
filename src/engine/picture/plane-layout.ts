/**
 * How a planar pixel format stores its samples: the number of planes, and the powers of two by which chroma is smaller.
 */
export interface PlaneLayout {
  /** For each plane by how many bits its width and height are shifted down. */
  readonly shifts: readonly (readonly [x: number, y: number])[];
  readonly bits: number;
  readonly sampleBytes: 1 | 2;
}

const CHROMA_SHIFTS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  420: [1, 1],
  422: [1, 0],
  444: [0, 0],
};

/** The formats that decoders of still pictures return, and those with an alpha plane; null for any other. */
export function planeLayout(name: string): PlaneLayout | null {
  const match = /^(?:yuv(a?)j?(420|422|444)p|gbr(a?)p|gray)(?:(10|12)le)?$/.exec(name);
  if (match === null) return null;
  const [, yuvAlpha, chroma, rgbAlpha, depth] = match;
  const colors = name.startsWith('gray') ? [] : [CHROMA_SHIFTS[chroma ?? '444']!, CHROMA_SHIFTS[chroma ?? '444']!];
  const alpha = yuvAlpha === 'a' || rgbAlpha === 'a' ? [[0, 0] as const] : [];
  const bits = depth === undefined ? 8 : Number(depth);
  return { shifts: [[0, 0], ...colors, ...alpha], bits, sampleBytes: bits > 8 ? 2 : 1 };
}

/** The format that has an alpha plane beside the ones `name` has; grey becomes grey in colour. */
export function formatWithAlpha(name: string): string {
  const colored = name.replace(/^gray/, 'yuv420p').replace(/^yuvj/, 'yuv');
  return colored.replace(/^yuv/, 'yuva').replace(/^gbr/, 'gbra');
}

/** Part of a plane: where its samples begin and how far apart its rows are, in bytes; and how deep they are. */
interface PlanePart {
  readonly data: Buffer;
  readonly start: number;
  readonly stride: number;
  readonly bits: number;
}

/** Copies samples from one plane to another, to its depth. */
export function copySamples(from: PlanePart, to: PlanePart, columns: number, rows: number): void {
  const rowBytes = columns * (from.bits > 8 ? 2 : 1);
  for (let row = 0; row < rows; row += 1) {
    const [source, target] = [from.start + row * from.stride, to.start + row * to.stride];
    if (from.bits === to.bits) to.data.set(from.data.subarray(source, source + rowBytes), target);
    else rescaleRow(from, source, to, target, columns);
  }
}

function rescaleRow(from: PlanePart, source: number, to: PlanePart, target: number, columns: number): void {
  const scale = (2 ** to.bits - 1) / (2 ** from.bits - 1);
  for (let n = 0; n < columns; n += 1) {
    const sample = from.bits > 8 ? from.data.readUInt16LE(source + n * 2) : from.data[source + n]!;
    const value = Math.round(sample * scale);
    if (to.bits > 8) to.data.writeUInt16LE(value, target + n * 2);
    else to.data[target + n] = value;
  }
}
