import type { PlanFont } from '../../../plan/theme.ts';
import type { Canvas2D } from '../../canvas-2d.ts';
import type { SpacelessRules } from '../words/spaceless-text.ts';
import { measurable } from './joined-emoji.ts';
import { type Face, fontAt } from './typeface.ts';

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
    const key = `${face.families}\n${text}`;
    const known = widths.get(key);
    if (known !== undefined) return known;
    context.font = fontAt(face, MEASURED_AT_PX);
    const width = context.measureText(measurable(text)).width / MEASURED_AT_PX;
    if (widths.size >= REMEMBERED) widths.clear();
    widths.set(key, width);
    return width;
  };
}
