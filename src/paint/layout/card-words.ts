import { captionedCardPx } from '../../plan/captions.ts';
import { graphemesOf } from './line-breaker.ts';
import { fitText, type TextBlock } from './text-block.ts';
import type { MeasureText } from './text-measure.ts';

/** The name as a card without a picture bears it: whole if it fits, else its initials, else nothing. */
export function nameOnCard(name: string, sidePx: number, minPx: number, measure: MeasureText): TextBlock | null {
  const room = { widthPx: sidePx * 0.88, heightPx: sidePx * 0.82, minPx, maxLines: 5, mayCut: false };
  const maxPx = Math.max(minPx, sidePx * 0.18);
  // On a small card initials say more than a name in pieces.
  const mayBreakWords = sidePx > minPx * 9;
  const whole = fitText(name, 'text', { ...room, maxPx, mayBreakWords }, measure);
  if (whole !== null) return whole;
  const initials = initialsOf(name);
  return fitText(initials, 'display', { ...room, maxPx: sidePx * 0.4, maxLines: 1, mayBreakWords: false }, measure);
}

/**
 * The name as a caption in the foot of a picture: up to two lines without a broken word, or not at all. Small cards
 * have none, there the picture must do.
 */
export function captionOnCard(name: string, sidePx: number, minPx: number, measure: MeasureText): TextBlock | null {
  if (sidePx < captionedCardPx(minPx)) return null;
  const sizePx = sidePx * 0.1;
  const room = { widthPx: sidePx * 0.86, heightPx: sidePx * 0.3, maxPx: sizePx, minPx: sizePx * 0.85, maxLines: 2 };
  return fitText(name, 'text', { ...room, mayCut: false, mayBreakWords: false }, measure);
}

/** Up to two first letters, as on a badge. */
function initialsOf(name: string): string {
  const words = name.split(/\s+/u).filter((word) => word !== '');
  return words
    .slice(0, 2)
    .map((word) => graphemesOf(word)[0]!.toLocaleUpperCase('en'))
    .join('');
}
