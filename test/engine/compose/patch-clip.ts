import { join } from 'node:path';
import {
  AVCOL_PRI_BT709,
  AVCOL_PRI_BT2020,
  AVCOL_RANGE_JPEG,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_SPC_BT2020_NCL,
  AVCOL_SPC_SMPTE170M,
  AVCOL_SPC_YCGCO,
  AVCOL_TRC_BT709,
  type AVColorPrimaries,
  type AVColorRange,
  type AVColorSpace,
  type AVColorTransferCharacteristic,
} from 'node-av/constants';
import { avGetPixFmtFromName, Frame, Rational } from 'node-av/lib';
import { ClipWriter } from '../../fixtures/clip-writer.ts';
import { clipFolder } from '../../fixtures/clips.ts';

export type Rgb = readonly [red: number, green: number, blue: number];

/** Flat colours side by side, from left to right, each as wide as the others. */
export interface PatchOptions {
  readonly patches: readonly Rgb[];
  readonly width?: number;
  readonly height?: number;
  readonly matrix?: AVColorSpace;
  readonly range?: AVColorRange;
  readonly transfer?: AVColorTransferCharacteristic;
  /** Those that go with the matrix, unless given. */
  readonly primaries?: AVColorPrimaries;
  /** 8 or 10 bits a sample, 4:4:4, or 4:2:0 as nearly everything is; with alpha or without. */
  readonly pixelFormat?: 'yuv420p' | 'yuv444p' | 'yuv420p10le' | 'yuva420p' | 'yuva444p';
  /** What the file says of its colours instead of the truth. */
  readonly tags?: Pick<PatchOptions, 'matrix' | 'transfer' | 'primaries'>;
  /** The opacity of each patch (0 … 255), if the format has alpha; opaque by default. */
  readonly alphas?: readonly number[];
}

/** Kr and Kb of the matrices in use. */
const LUMA: ReadonlyMap<AVColorSpace, readonly [number, number]> = new Map([
  [AVCOL_SPC_BT709, [0.2126, 0.0722]],
  [AVCOL_SPC_SMPTE170M, [0.299, 0.114]],
  [AVCOL_SPC_BT2020_NCL, [0.2627, 0.0593]],
]);

let made = 0;

/** A lossless clip of two frames whose samples are computed here from the given colours, by the standard. */
export async function patchClip(options: PatchOptions): Promise<string> {
  const { width = 192, height = 108, pixelFormat = 'yuv420p' } = options;
  const { matrix = AVCOL_SPC_BT709, range = AVCOL_RANGE_MPEG, transfer = AVCOL_TRC_BT709 } = options;
  const file = join(clipFolder(), `patches-${made++}.mkv`);
  await using writer = new ClipWriter('matroska', file);
  const track = await writer.add('ffv1', {}, (context) => {
    context.width = width;
    context.height = height;
    context.pixelFormat = avGetPixFmtFromName(pixelFormat);
    context.timeBase = new Rational(1, 25);
    context.framerate = new Rational(25, 1);
    context.colorSpace = options.tags?.matrix ?? matrix;
    context.colorRange = range;
    context.colorTrc = options.tags?.transfer ?? transfer;
    context.colorPrimaries =
      options.tags?.primaries ??
      options.primaries ??
      (matrix === AVCOL_SPC_BT2020_NCL ? AVCOL_PRI_BT2020 : AVCOL_PRI_BT709);
  });
  await writer.start({});
  using frame = new Frame();
  frame.alloc();
  frame.width = width;
  frame.height = height;
  frame.format = avGetPixFmtFromName(pixelFormat);
  frame.getBuffer();
  fillPatches(frame, options);
  for (let n = 0n; n < 2n; n++) {
    frame.pts = n;
    await writer.encode(track, frame);
  }
  await writer.finish();
  return file;
}

/** Paints the patches over a frame of the size and the format they are to have. */
export function fillPatches(frame: Frame, options: PatchOptions): void {
  const { patches, pixelFormat = 'yuv420p', matrix = AVCOL_SPC_BT709, range = AVCOL_RANGE_MPEG } = options;
  const { width, height } = frame;
  const bits = pixelFormat.endsWith('10le') ? 10 : 8;
  const colors = patches.map((rgb, patch) => [
    ...ycc(rgb, matrix, range === AVCOL_RANGE_JPEG, bits),
    options.alphas?.[patch] ?? 255,
  ]);
  frame.makeWritable();
  for (const [plane, data] of frame.data!.slice(0, pixelFormat.startsWith('yuva') ? 4 : 3).entries()) {
    const halved = (plane === 1 || plane === 2) && !pixelFormat.endsWith('444p');
    const [across, down] = halved ? [width / 2, height / 2] : [width, height];
    for (let y = 0; y < down; y++) {
      for (let x = 0; x < across; x++) {
        const value = colors[Math.floor((x * patches.length) / across)]![plane]!;
        if (bits === 8) data[y * frame.linesize[plane]! + x] = value;
        else data.writeUInt16LE(value, y * frame.linesize[plane]! + 2 * x);
      }
    }
  }
}

/** R′G′B′ (0 … 255) to luma and two colour differences, as the matrix and the range say. */
function ycc([red, green, blue]: Rgb, matrix: AVColorSpace, full: boolean, bits: number): number[] {
  const [y, cb, cr] = components([red / 255, green / 255, blue / 255], matrix);
  const scale = 2 ** (bits - 8);
  const middle = 128 * scale;
  const [lumaSpan, chromaSpan, black] = full
    ? [256 * scale - 1, 256 * scale - 1, 0]
    : // YCgCo is computed from limited RGB, whose range all its parts keep. (H.273)
      [219 * scale, (matrix === AVCOL_SPC_YCGCO ? 219 : 224) * scale, 16 * scale];
  const clamp = (value: number) => Math.max(0, Math.min(256 * scale - 1, Math.round(value)));
  return [clamp(black + y * lumaSpan), clamp(middle + cb * chromaSpan), clamp(middle + cr * chromaSpan)];
}

/** Luma from 0 to 1 and the differences from −½ to ½. */
function components([r, g, b]: Rgb, matrix: AVColorSpace): readonly [number, number, number] {
  if (matrix === AVCOL_SPC_YCGCO) return [r / 4 + g / 2 + b / 4, -r / 4 + g / 2 - b / 4, r / 2 - b / 2];
  const [kr, kb] = LUMA.get(matrix)!;
  const y = kr * r + (1 - kr - kb) * g + kb * b;
  return [y, (b - y) / (2 * (1 - kb)), (r - y) / (2 * (1 - kr))];
}
