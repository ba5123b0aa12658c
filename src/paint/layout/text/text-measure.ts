import type { PlanFont } from '../../../plan/model/theme.ts';
import type { Canvas2D } from '../../canvas-2d.ts';
import type { SpacelessRules } from '../words/spaceless-text.ts';
import { type Face, fontAt, spacingAt } from './typeface.ts';

/**
 * How wide a text is in ems of its face, and the other platform functions for layout. Widths are proportional to the
 * size, so one measurement serves all sizes.
 */
export interface MeasureText {
  (text: string, face: Face): number;
  /** The theme's own font. (C47) */
  readonly own: PlanFont | null;
  /** There whenever a text with scripts without spaces is set. */
  readonly spaceless: () => SpacelessRules;
}

const MEASURED_AT_PX = 100;
const REMEMBERED = 20_000;

/** Measures with a context and caches: shaping is expensive. */
export function measureWith(context: Canvas2D): (text: string, face: Face) => number {
  const widths = new Map<string, number>();
  return (text, face) => {
    const key = `${face.families}\n${face.spacingEm}\n${text}`;
    const known = widths.get(key);
    if (known !== undefined) return known;
    context.font = fontAt(face, MEASURED_AT_PX);
    context.letterSpacing = spacingAt(face, MEASURED_AT_PX);
    const width = context.measureText(measurable(text)).width / MEASURED_AT_PX;
    if (widths.size >= REMEMBERED) widths.clear();
    widths.set(key, width);
    return width;
  };
}

/**
 * Emoji that Skia's binding tears apart: a character that is text by default, joined to one that is emoji by default,
 * is cut into two runs before the font can join them, unless an emoji comes before it. These four are all.
 */
export const TORN_EMOJI = /❤\ufe0f?\u200d[🔥🩹]|🏳\ufe0f?\u200d🌈|⛓\ufe0f?\u200d💥/gu;

/** An emoji like any other in width. */
export const STAND_IN = '🟦';

/** The text with every torn emoji replaced by one of the same width, for measuring. */
function measurable(text: string): string {
  return text.replace(TORN_EMOJI, STAND_IN);
}
