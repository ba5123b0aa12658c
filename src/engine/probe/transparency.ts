import type { AVPixelFormat } from 'node-av/constants';
import { avGetPixFmtName, type Frame } from 'node-av/lib';

/** Where a pixel format keeps its 8-bit alpha: which plane, how far apart, how far in. */
interface AlphaBytes {
  readonly plane: number;
  readonly step: number;
  readonly offset: number;
}

/**
 * Whether anything behind the picture shows through it. Formats with an alpha channel are often opaque all over (every
 * GIF decodes to one), and an opaque picture lets the planner leave out what lies beneath. (R8)
 */
export function isTransparent(frame: Frame): boolean {
  const name = avGetPixFmtName(frame.format as AVPixelFormat) ?? '';
  if (name === 'pal8') return paletteIsTransparent(paletteOf(frame));
  const alpha = alphaBytes(name);
  // Sixteen-bit and other rare formats: the channel's being there has to do.
  if (alpha === null) return /^(yuva|gbrap|rgba|bgra|ya)/.test(name);
  const data = frame.data![alpha.plane]!;
  const stride = frame.linesize[alpha.plane]!;
  for (let y = 0; y < frame.height; y++) {
    const row = y * stride + alpha.offset;
    for (let x = 0; x < frame.width; x++) if (data[row + x * alpha.step] !== 255) return true;
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

const PALETTE_BYTES = 256 * 4;

/** node-av shows a paletted frame's indices only; a copy of the frame ends with its palette. */
function paletteOf(frame: Frame): Uint8Array {
  return frame.toBuffer().subarray(-PALETTE_BYTES);
}

/** 256 colours of four bytes, alpha last; those a picture does not use are opaque. */
function paletteIsTransparent(palette: Uint8Array): boolean {
  for (let at = 3; at < palette.length; at += 4) if (palette[at] !== 255) return true;
  return false;
}
