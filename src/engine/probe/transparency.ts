import {
  AVCOL_RANGE_JPEG,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_SPC_RGB,
  type AVPixelFormat,
} from 'node-av/constants';
import { avGetPixFmtName, Frame } from 'node-av/lib';
import { CONVERT } from '../color/convert.ts';
import { tagForFilters } from '../color/picture-color.ts';
import { hasAlphaChannel, isRgb } from '../color/pixel-formats.ts';
import { FrameGraph } from '../libav/frame-graph.ts';
import { mustSucceed } from '../libav/libav-call.ts';

/** Where a pixel format keeps its 8-bit alpha: which plane, how far apart, how far in. */
interface AlphaBytes {
  readonly plane: number;
  readonly step: number;
  readonly offset: number;
}

/**
 * Whether the picture is transparent anywhere. Formats with an alpha channel are often opaque (every GIF decodes to
 * one), and an opaque picture lets the planner leave out the layers beneath. (R8)
 */
export async function isTransparent(frame: Frame): Promise<boolean> {
  const name = avGetPixFmtName(frame.format as AVPixelFormat) ?? '';
  if (!hasAlphaChannel(name)) return false;
  const alpha = alphaBytes(name);
  if (alpha !== null) return hasHole(frame, alpha);
  using extracted = new Frame();
  extracted.alloc();
  await extractAlpha(frame, name, extracted);
  return hasHole(extracted, { plane: 0, step: 1, offset: 0 });
}

function hasHole({ data, linesize, width, height }: Frame, { plane, step, offset }: AlphaBytes): boolean {
  const bytes = data![plane]!;
  for (let y = 0; y < height; y++) {
    const row = y * linesize[plane]! + offset;
    for (let x = 0; x < width; x++) if (bytes[row + x * step] !== 255) return true;
  }
  return false;
}

function alphaBytes(name: string): AlphaBytes | null {
  if (name === 'rgba' || name === 'bgra') return { plane: 0, step: 4, offset: 3 };
  if (name === 'argb' || name === 'abgr') return { plane: 0, step: 4, offset: 0 };
  if (name === 'ya8') return { plane: 0, step: 2, offset: 1 };
  if (/^yuva4[0-9]{2}p$/.test(name) || name === 'gbrap') return { plane: 3, step: 1, offset: 0 };
  return null;
}

/**
 * Fills `into` with the alpha of any other format (palettes, more than 8 bits) as 8 bits, which is all that is ever
 * shown.
 */
async function extractAlpha(frame: Frame, name: string, into: Frame): Promise<void> {
  const { width, height } = frame;
  const [matrix, range] = isRgb(name) ? [AVCOL_SPC_RGB, AVCOL_RANGE_JPEG] : [AVCOL_SPC_BT709, AVCOL_RANGE_MPEG];
  const shape = { width, height, pixelFormat: frame.format as AVPixelFormat, matrix, range };
  using graph = await FrameGraph.open([shape], `[0]${CONVERT},format=yuva444p,alphaextract[out]`);
  using shared = new Frame();
  shared.alloc();
  mustSucceed(shared.ref(frame), 'av_frame_ref');
  tagForFilters(shared, shape);
  graph.feed(0, shared, 0);
  await graph.pull(into);
}
