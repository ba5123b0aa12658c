import { type FrameRate, frames } from '../../time.ts';
import { CAPTION_LOOKS, type CanvasShape } from '../../timeline/default-looks.ts';
import type { CaptionStyle, FontChoice } from '../../timeline/export-request.ts';
import type { CaptionLook, SubtitleLayer } from '../model/painted-layers.ts';

/** A word reaches its size within this time. */
const GROW_SECONDS = 0.09;

export function captionBackground({ base }: CaptionStyle): SubtitleLayer['background'] {
  return CAPTION_LOOKS[base].background;
}

export function isUppercase({ base, uppercase }: CaptionStyle): boolean {
  return uppercase ?? CAPTION_LOOKS[base].uppercase;
}

/** How many words a page has; null: all of them. */
export function wordsOnPage({ base, maxWords }: CaptionStyle, shape: CanvasShape): number | null {
  return maxWords ?? CAPTION_LOOKS[base].words[shape] ?? null;
}

/** The font of a style; the theme's takes precedence over the style's own. null: that of a plain subtitle. */
export function captionLetters(
  { base, font, weight }: CaptionStyle,
  themeFont: FontChoice | null,
): { font: FontChoice | null; weight: number } | null {
  if (base === 'plain' && font === null && weight === undefined) return null;
  const row = CAPTION_LOOKS[base];
  return { font: font ?? themeFont ?? row.font ?? null, weight: weight ?? row.weight };
}

/** @param outlineColor for a style without one. */
export function captionLook(style: CaptionStyle, outlineColor: string, rate: FrameRate): CaptionLook | null {
  const { base, outlineWidth, highlight, highlightColor } = style;
  const given = [style.outlineColor, outlineWidth, highlight, highlightColor];
  if (base === 'plain' && given.every((field) => field === undefined)) return null;
  const row = CAPTION_LOOKS[base];
  return {
    outline: { color: style.outlineColor ?? outlineColor, em: outlineWidth ?? row.outlineWidth },
    highlight: highlight ?? row.highlight,
    highlightColor: highlightColor ?? row.highlightColor,
    growFrames: frames(Math.max(1, Math.floor((GROW_SECONDS * rate.num) / rate.den))),
  };
}
