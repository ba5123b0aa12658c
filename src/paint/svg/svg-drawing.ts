import { Resvg } from '@resvg/resvg-wasm';
import { ExportError, messageOf } from '../../errors.ts';
import type { PixelSize } from '../../image-header/image-header.ts';
import { checkSvg } from '../../image-header/svg-header.ts';

/** A drawing to be drawn, and what it needs. */
export interface SvgOrder {
  readonly svg: string;
  /** The side that gets this many pixels. */
  readonly fitTo: { readonly mode: 'width' | 'height'; readonly value: number };
  readonly fonts: 'none' | 'latin' | 'all';
}

/** The drawing as straight RGBA, or a failure. */
export type SvgReply =
  | { readonly width: number; readonly height: number; readonly rgba: Uint8Array }
  | {
      readonly failed: string;
      /** Whether it stopped in the middle: out of memory, out of stack, or by a bug. */
      readonly trapped: boolean;
    };

/** 256 MiB: a few dozen layers of the largest requested picture. */
export const MAX_PAGES = 4_096;
/** Of the longer side, for drawings that are much longer than high. */
const MAX_SIDE_PX = 4_096;

/**
 * What is drawn of a file, in the service and in the studio: a drawing can demand any amount of work, so it is checked
 * first.
 *
 * @param size from its header.
 * @param sidePx the target length of its shorter side.
 * @throws `paint.image_too_complex`, `paint.image_broken`.
 */
export function orderOf(bytes: Uint8Array, size: PixelSize, sidePx: number): SvgOrder {
  const svg = textOf(bytes);
  checkSvg(svg);
  return { svg, fitTo: fitTo(size, sidePx), fonts: fontsFor(svg) };
}

/** Draws by resvg as WebAssembly, which must be initialized. */
export function drawSvg({ svg, fitTo }: SvgOrder, fontBuffers: Uint8Array[]): SvgReply {
  try {
    const drawing = new Resvg(svg, { fitTo, font: { fontBuffers, ...FAMILIES } });
    const image = drawing.render();
    const { width, height, pixels } = image;
    const reply = { width, height, rgba: straight(pixels) };
    image.free();
    drawing.free();
    return reply;
  } catch (error) {
    const trapped = error instanceof Error && (error.name === 'RuntimeError' || error.name === 'RangeError');
    return { failed: messageOf(error), trapped };
  }
}

/** The error of a drawing that failed. */
export function svgError({ failed, trapped }: Extract<SvgReply, { failed: string }>): ExportError {
  const cause = new Error(failed);
  if (trapped) return tooComplex('The drawing needs too much memory.', cause);
  return new ExportError('invalid', 'paint.image_broken', 'The drawing cannot be drawn.', { cause });
}

export function tooComplex(message: string, cause?: unknown): ExportError {
  return new ExportError('invalid', 'paint.image_too_complex', message, { cause });
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ExportError('invalid', 'paint.image_broken', 'The drawing is not UTF-8 text.', { cause });
  }
}

function fitTo({ width, height }: PixelSize, sidePx: number): SvgOrder['fitTo'] {
  const longerPx = Math.round(sidePx * (Math.max(width, height) / Math.min(width, height)));
  const value = Math.max(1, Math.min(MAX_SIDE_PX, longerPx));
  return { mode: width >= height ? 'width' : 'height', value };
}

/** Fonts are megabytes: none for a drawing without text, and only the common ones if they are enough. */
function fontsFor(svg: string): SvgOrder['fonts'] {
  if (!/<(?:[\w.-]+:)?text\b/.test(svg)) return 'none';
  return /[\u0530-\uffff]/.test(svg) || /&#(?:x|\d{4})/i.test(svg) ? 'all' : 'latin';
}

/** resvg returns colours multiplied by their alpha. */
function straight(premultiplied: Uint8Array): Uint8Array {
  const rgba = new Uint8Array(premultiplied);
  for (let at = 0; at < rgba.length; at += 4) {
    const alpha = rgba[at + 3]!;
    if (alpha === 0 || alpha === 255) continue;
    for (let n = at; n < at + 3; n += 1) rgba[n] = Math.min(255, Math.round((rgba[n]! * 255) / alpha));
  }
  return rgba;
}

/** Replaces every family that a drawing names, on every machine. */
const FAMILY = 'Noto Sans';
const FAMILIES = {
  defaultFontFamily: FAMILY,
  sansSerifFamily: FAMILY,
  serifFamily: FAMILY,
  monospaceFamily: FAMILY,
  cursiveFamily: FAMILY,
  fantasyFamily: FAMILY,
};
