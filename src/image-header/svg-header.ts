import type { ByteReader } from '../iso/byte-reader.ts';
import type { ImageHeader, PixelSize } from './image-header.ts';
import { attributeOf, type SvgTag, svgTags } from './svg-tags.ts';

/** The root of a drawing must be within this many bytes. */
const HEAD_BYTES = 65_536;
/** The size of drawings that have none, or only in their own units. */
const DEFAULT_PX = 1_024;

/** Far over every limit. Larger or infinite sizes count as this. */
const MAX_PX = 1_000_000;

/** Whether a text is an SVG, by its first element. */
export function isSvg(reader: ByteReader): boolean {
  return rootOf(reader) !== null;
}

/** SVG: the size that the root asks for. It is only a hint, since a drawing has no pixels. */
export function readSvg(reader: ByteReader): ImageHeader {
  const root = rootOf(reader);
  if (root === null) throw new RangeError('no drawing');
  const [width, height] = [lengthOf(attributeOf(root, 'width')), lengthOf(attributeOf(root, 'height'))];
  const box = viewBoxOf(attributeOf(root, 'viewBox'));
  const ratio = box === null ? 1 : box.width / box.height;
  const size =
    width !== null && height !== null
      ? { width, height }
      : width !== null
        ? { width, height: width / ratio }
        : height !== null
          ? { width: height * ratio, height }
          : { width: Math.min(DEFAULT_PX, DEFAULT_PX * ratio), height: Math.min(DEFAULT_PX, DEFAULT_PX / ratio) };
  return { format: 'svg', width: sideOf(size.width), height: sideOf(size.height), frames: 1 };
}

/** A whole number; 0 if unknown. */
function sideOf(px: number): number {
  return Number.isNaN(px) ? 0 : Math.min(MAX_PX, Math.ceil(px));
}

function rootOf(reader: ByteReader): SvgTag | null {
  const text = new TextDecoder('latin1').decode(reader.part(0, HEAD_BYTES));
  if (!/^(?:\u00ef\u00bb\u00bf)?\s*</.test(text)) return null;
  try {
    for (const tag of svgTags(text)) {
      if (tag.name !== '!DOCTYPE') return tag.name === 'svg' && tag.kind !== 'close' ? tag : null;
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return null;
}

const PX_PER_UNIT: Readonly<Record<string, number>> = {
  ...{ px: 1, in: 96, cm: 96 / 2.54, mm: 96 / 25.4, pt: 96 / 72, pc: 16, em: 16, ex: 8 },
};

/** No number needs more. */
const MAX_LENGTH_CHARACTERS = 64;

/** In pixels; null for a percentage of an unknown size. */
function lengthOf(text: string | undefined): number | null {
  if (text !== undefined && text.length > MAX_LENGTH_CHARACTERS) return null;
  const match = /^\s*\+?(\d*\.?\d+(?:e[+-]?\d+)?)\s*([a-z]*)\s*$/i.exec(text ?? '');
  const px = match === null ? undefined : PX_PER_UNIT[match[2]!.toLowerCase() || 'px'];
  return px === undefined ? null : Number(match![1]) * px;
}

function viewBoxOf(text: string | undefined): PixelSize | null {
  const [, , width, height] = (text ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  return width !== undefined && height !== undefined && width > 0 && height > 0 ? { width, height } : null;
}
