import { type FrameRate, frames } from '../../../time.ts';
import type { CaptionStyleName, FontName, HighlightName } from '../../../timeline/choices.ts';
import type { FontChoice } from '../../../timeline/request/media-ref.ts';
import type { CaptionStyle } from '../../../timeline/request/text-entries.ts';
import type { CaptionLook, SubtitleLayer } from '../../layers/painted-layers.ts';
import type { CanvasShape } from '../canvas-shape.ts';

interface StyleRow {
  /** Pixels where the canvas's shorter side is 1080. */
  readonly size: Readonly<Record<CanvasShape, number>>;
  readonly weight: number;
  /** If neither the style nor the theme names one. */
  readonly font?: FontName;
  readonly uppercase: boolean;
  /** In ems; the visible part. */
  readonly outlineWidth: number;
  readonly highlight: HighlightName;
  readonly highlightColor: string;
  readonly background: SubtitleLayer['background'];
  /** Words on a page, so that they fit two lines; absent: all of them. */
  readonly words: Readonly<Partial<Record<CanvasShape, number>>>;
}

const LARGE = { portrait: 76, square: 68, landscape: 64 };

const FEW_WORDS = { portrait: 4, square: 8 };

const LOUD: StyleRow = {
  size: LARGE,
  weight: 800,
  uppercase: false,
  outlineWidth: 0.09,
  highlight: 'color',
  highlightColor: '#ffd60a',
  background: null,
  words: { portrait: 8 },
};

/**
 * The defaults of each style. A field can change everything in a row, the size and the background by those of a
 * subtitle. (C62)
 */
const STYLES: Readonly<Record<CaptionStyleName, StyleRow>> = {
  // Only additional fields count: without one, a plain subtitle has no look.
  plain: { ...LOUD, size: { portrait: 48, square: 48, landscape: 48 }, weight: 700, outlineWidth: 0.05, words: {} },
  outline: LOUD,
  box: { ...LOUD, background: { color: '#000000', alpha: 0.8 } },
  pill: { ...LOUD, highlight: 'pill', highlightColor: '#7c3aed' },
  pop: { ...LOUD, font: 'Montserrat', highlight: 'scale', highlightColor: '#38f07f', words: FEW_WORDS },
  shout: { ...LOUD, font: 'Montserrat', uppercase: true, words: FEW_WORDS },
};

/** A word reaches its size within this time. */
const GROW_SECONDS = 0.09;

/** The size of a subtitle that has none of its own. */
export function captionSize(style: CaptionStyle | null, shape: CanvasShape): number {
  return STYLES[style?.base ?? 'plain'].size[shape];
}

export function captionBackground({ base }: CaptionStyle): SubtitleLayer['background'] {
  return STYLES[base].background;
}

export function isUppercase({ base, uppercase }: CaptionStyle): boolean {
  return uppercase ?? STYLES[base].uppercase;
}

/** How many words a page has; null: all of them. */
export function wordsOnPage({ base, maxWords }: CaptionStyle, shape: CanvasShape): number | null {
  return maxWords ?? STYLES[base].words[shape] ?? null;
}

/** The font of a style; the theme's takes precedence over the style's own. null: that of a plain subtitle. */
export function captionLetters(
  { base, font, weight }: CaptionStyle,
  themeFont: FontChoice | null,
): { font: FontChoice | null; weight: number } | null {
  if (base === 'plain' && font === null && weight === undefined) return null;
  const row = STYLES[base];
  return { font: font ?? themeFont ?? row.font ?? null, weight: weight ?? row.weight };
}

/** @param outlineColor for a style without one. */
export function captionLook(style: CaptionStyle, outlineColor: string, rate: FrameRate): CaptionLook | null {
  const { base, outlineWidth, highlight, highlightColor } = style;
  const given = [style.outlineColor, outlineWidth, highlight, highlightColor];
  if (base === 'plain' && given.every((field) => field === undefined)) return null;
  const row = STYLES[base];
  return {
    outline: { color: style.outlineColor ?? outlineColor, em: outlineWidth ?? row.outlineWidth },
    highlight: highlight ?? row.highlight,
    highlightColor: highlightColor ?? row.highlightColor,
    growFrames: frames(Math.max(1, Math.floor((GROW_SECONDS * rate.num) / rate.den))),
  };
}
