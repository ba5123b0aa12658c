import type { TitleLayer } from '../../../plan/layers/painted-layers.ts';
import { around, type Box, grown } from '../box.ts';
import { cleanText } from './clean-text.ts';
import { fitText, type TextBlock } from './text-block.ts';
import type { MeasureText } from './text-measure.ts';

/** A title set and placed, in the canvas's pixels. */
export interface TitleLayout {
  readonly lines: readonly { readonly block: TextBlock; readonly box: Box }[];
  /** The background of the text; for a card, the whole canvas. */
  readonly plate: Box;
  readonly radiusPx: number;
  /** A short stroke in the colour of the theme: at the side of a lower third, under the text of a card. */
  readonly accent: Box | null;
  /** Everything that is drawn is inside it. */
  readonly bounds: Box;
}

/** More than fits any canvas. */
export const TITLE_LENGTH = 500;

/** A title shrinks so far before it takes a second line, and then so far to fit its box. (R31) */
const ONE_LINE = 0.75;
const SMALLEST = 0.4;
const SUBTEXT = { label: 0.62, lower_third: 0.58, card: 0.4 } as const;
const PAD_EM = { x: 0.55, y: 0.3 };
const ACCENT_EM = { width: 0.14, length: 1.5, gap: 0.34 };
/** How far outline and shadow reach beyond the letters. */
const GLOW_EM = 0.3;

/** Lays out a title; null if it is empty. (C60) */
export function layoutTitle(title: TitleLayer, corner: number, measureIn: MeasureText): TitleLayout | null {
  const { kind, textRect, sizePx, align } = title;
  const measure: MeasureText = Object.assign((...args: Parameters<MeasureText>) => measureIn(...args), {
    own: title.font,
    spaceless: measureIn.spaceless,
  });
  const isCard = kind === 'card';
  const pad = isCard ? { x: 0, y: 0 } : { x: PAD_EM.x * sizePx, y: PAD_EM.y * sizePx };
  const bar = kind === 'lower_third' ? (ACCENT_EM.width + PAD_EM.x) * sizePx : 0;
  const room = { width: textRect.width - 2 * pad.x - bar, height: textRect.height - 2 * pad.y };
  const main = setText(title.text, 'display', sizePx, room, measure);
  const rule = isCard && main !== null ? 2 * ACCENT_EM.gap * sizePx + ACCENT_EM.width * sizePx : 0;
  const left = { width: room.width, height: Math.max(0, room.height - (main?.heightPx ?? 0) - rule) };
  const sub = setText(title.subtext, 'text', sizePx * SUBTEXT[kind], left, measure);
  const blocks = [main, sub].filter((block) => block !== null);
  if (blocks.length === 0) return null;

  const between = blocks.length === 2 ? rule : 0;
  const height = blocks.reduce((sum, { heightPx }) => sum + heightPx, between);
  const width = Math.max(...blocks.map(({ widthPx }) => widthPx));
  const plateSize = { width: width + 2 * pad.x + bar, height: height + 2 * pad.y };
  const free = { x: textRect.width - plateSize.width, y: textRect.height - plateSize.height };
  const plate = {
    x: textRect.x + (align === 'left' ? 0 : align === 'right' ? free.x : free.x / 2),
    // A label is at the top of its box, a lower third at the bottom, a card's text in the middle.
    y: textRect.y + (kind === 'label' ? 0 : kind === 'lower_third' ? free.y : free.y / 2),
    ...plateSize,
  };
  const inner = { x: plate.x + pad.x + (align === 'right' ? 0 : bar), width };
  let y = plate.y + pad.y;
  const lines = blocks.map((block) => {
    const box = { ...inner, y, height: block.heightPx };
    y += block.heightPx + between;
    return { block, box };
  });
  const accent = accentOf(title, plate, lines[0]!.box, main !== null);
  const inked = grown(plate, GLOW_EM * sizePx);
  return {
    lines,
    plate: isCard ? title.rect : plate,
    radiusPx: isCard ? 0 : corner * 0.5 * sizePx,
    accent,
    bounds: isCard ? around([title.rect, inked]) : inked,
  };
}

function accentOf({ kind, align, sizePx }: TitleLayer, plate: Box, first: Box, hasText: boolean): Box | null {
  const width = ACCENT_EM.width * sizePx;
  if (kind === 'lower_third') {
    const inset = PAD_EM.y * sizePx;
    const x = align === 'right' ? plate.x + plate.width - inset - width : plate.x + inset;
    return { x, y: plate.y + inset, width, height: plate.height - 2 * inset };
  }
  if (kind === 'label' || !hasText) return null;
  const length = Math.min(ACCENT_EM.length * sizePx, first.width);
  const free = first.width - length;
  const x = first.x + (align === 'left' ? 0 : align === 'right' ? free : free / 2);
  return { x, y: first.y + first.height + ACCENT_EM.gap * sizePx, width: length, height: width };
}

function setText(
  text: string,
  voice: 'display' | 'text',
  maxPx: number,
  { width, height }: { readonly width: number; readonly height: number },
  measure: MeasureText,
): TextBlock | null {
  const cleaned = cleanText(text, TITLE_LENGTH).trim();
  const room = { widthPx: Math.max(1, width), heightPx: Math.max(height, maxPx * 2), maxPx };
  const oneLine = { ...room, minPx: maxPx * ONE_LINE, maxLines: 1, mayCut: false, mayBreakWords: false };
  const more = { ...room, minPx: maxPx * SMALLEST, maxLines: 6, mayCut: true, mayBreakWords: true };
  return fitText(cleaned, voice, oneLine, measure) ?? fitText(cleaned, voice, more, measure);
}
