import { inCase } from '../../../plan/model/capitals.ts';
import type { TitleLayer } from '../../../plan/model/painted-layers.ts';
import type { Theme } from '../../../plan/model/theme.ts';
import type { LetterStyle } from '../../../plan/theme/theme-look.ts';
import { lookOf } from '../../../plan/theme/theme-looks.ts';
import { around, type Box, grown } from '../../boxes.ts';
import { cleanText, fitText, type TextBlock } from './text-block.ts';
import type { MeasureText } from './text-measure.ts';

/** A title set and placed, in the canvas's pixels. */
export interface TitleLayout {
  readonly lines: readonly { readonly block: TextBlock; readonly box: Box }[];
  /** The background of the text; for a card, the whole canvas. */
  readonly plate: Box;
  readonly radiusPx: number;
  /** Strokes in the colour of the theme: at the side of a text, or under it. */
  readonly accents: readonly Box[];
  /** Everything that is drawn is inside it. */
  readonly bounds: Box;
}

/** More than fits any canvas. */
export const TITLE_LENGTH = 500;

/** A title shrinks so far before it takes a second line, and then so far to fit its box. (R31) */
const ONE_LINE = 0.75;
const SMALLEST = 0.4;
const SUBTEXT = { label: 0.62, lower_third: 0.58, card: 0.28 } as const;
/** In heights of its letters. */
const SUB_LINES = 2.5;
const PAD_EM = { x: 0.55, y: 0.3 };
const ACCENT_EM = { width: 0.14, length: 1.5, gap: 0.34, side: 0.13, underline: 0.05 };
/** Between the lines of a card. */
const GAP_EM = { none: 0.3, rule: 2 * ACCENT_EM.gap + ACCENT_EM.width, underline: 0.4, side: 0.3, bar: 0 };
/** How far outline and shadow reach beyond the letters. */
const GLOW_EM = 0.3;

/** Lays out a title; null if it is empty. (C60) */
export function layoutTitle(
  title: TitleLayer,
  theme: Pick<Theme, 'corner' | 'name'>,
  measureIn: MeasureText,
): TitleLayout | null {
  const look = titleLook(title.kind, theme);
  const { kind, textRect, sizePx, align } = title;
  const measure: MeasureText = Object.assign((...args: Parameters<MeasureText>) => measureIn(...args), {
    own: title.font,
    spaceless: measureIn.spaceless,
  });
  const isCard = kind === 'card';
  const pad = isCard ? { x: 0, y: 0 } : { x: PAD_EM.x * sizePx, y: PAD_EM.y * sizePx };
  const side = look.accent === 'side' ? (ACCENT_EM.side + ACCENT_EM.gap) * sizePx : 0;
  const bar = look.accent === 'bar' ? (ACCENT_EM.width + PAD_EM.x) * sizePx : side;
  const room = { width: textRect.width - 2 * pad.x - bar, height: textRect.height - 2 * pad.y };
  // A card has room for lines: its text takes a second one before it shrinks, and leaves room for the text under it.
  const least = isCard ? 1 : ONE_LINE;
  const below = isCard && title.subtext !== '' ? (GAP_EM[look.accent] + SUBTEXT.card * SUB_LINES) * sizePx : 0;
  const upper = { ...room, height: room.height - below };
  const main = setText(inCase(title.text, look.letters), 'display', sizePx, upper, measure, least);
  const rule = isCard && main !== null ? GAP_EM[look.accent] * sizePx : 0;
  const left = { width: room.width, height: Math.max(0, room.height - (main?.heightPx ?? 0) - rule) };
  const sub = setText(inCase(title.subtext, look.sub), 'text', sizePx * SUBTEXT[kind], left, measure);
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
  const accent = accentOf(title, look.accent, plate, lines[0]!.box, main);
  const turned = (Math.abs(look.turn) / 90) * Math.max(plate.width, plate.height);
  const inked = grown(plate, GLOW_EM * sizePx + turned);
  return {
    lines,
    plate: isCard ? title.rect : plate,
    radiusPx: isCard ? 0 : theme.corner * 0.5 * sizePx,
    accents: accent,
    bounds: isCard ? around([title.rect, inked]) : inked,
  };
}

type Accent = keyof typeof GAP_EM;

/** How a theme lays out a kind of title. */
interface KindLook {
  readonly letters: LetterStyle;
  readonly sub: LetterStyle;
  readonly accent: Accent;
  readonly turn: number;
}

function titleLook(kind: TitleLayer['kind'], theme: Pick<Theme, 'name'>): KindLook {
  const { card, lowerThird, label } = lookOf(theme).titles;
  if (kind === 'card') return { ...card, accent: card.accent.kind };
  if (kind === 'label') return { ...label, accent: 'none', turn: 0 };
  return { ...lowerThird, accent: lowerThird.bar === null ? 'none' : 'bar' };
}

function accentOf({ align, sizePx }: TitleLayer, kind: Accent, plate: Box, first: Box, main: TextBlock | null): Box[] {
  const width = ACCENT_EM.width * sizePx;
  if (kind === 'bar') {
    const inset = PAD_EM.y * sizePx;
    const x = align === 'right' ? plate.x + plate.width - inset - width : plate.x + inset;
    return [{ x, y: plate.y + inset, width, height: plate.height - 2 * inset }];
  }
  if (kind === 'none' || main === null) return [];
  if (kind === 'side') {
    const thick = ACCENT_EM.side * sizePx;
    const x = align === 'right' ? plate.x + plate.width - thick : plate.x;
    return [{ x, y: first.y + 0.08 * sizePx, width: thick, height: first.height - 0.16 * sizePx }];
  }
  const aligned = (length: number) => {
    const free = first.width - length;
    return first.x + (align === 'left' ? 0 : align === 'right' ? free : free / 2);
  };
  if (kind === 'underline') {
    return main.lines.map((line, index) => {
      const length = line.width * main.sizePx;
      const y = first.y + (index + 0.98) * main.linePx;
      return { x: aligned(length), y, width: length, height: ACCENT_EM.underline * main.sizePx };
    });
  }
  const length = Math.min(ACCENT_EM.length * sizePx, first.width);
  return [{ x: aligned(length), y: first.y + first.height + ACCENT_EM.gap * sizePx, width: length, height: width }];
}

function setText(
  text: string,
  role: 'display' | 'text',
  maxPx: number,
  { width, height }: { readonly width: number; readonly height: number },
  measure: MeasureText,
  least = ONE_LINE,
): TextBlock | null {
  const cleaned = cleanText(text, TITLE_LENGTH).trim();
  const room = { widthPx: Math.max(1, width), heightPx: Math.max(height, maxPx * 2), maxPx };
  const oneLine = { ...room, minPx: maxPx * least, maxLines: 1, mayCut: false, mayBreakWords: false };
  const more = { ...room, minPx: maxPx * SMALLEST, maxLines: 6, mayCut: true, mayBreakWords: true };
  return fitText(cleaned, role, oneLine, measure) ?? fitText(cleaned, role, more, measure);
}
