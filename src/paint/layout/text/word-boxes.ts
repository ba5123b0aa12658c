import type { SubtitleLayer } from '../../../plan/layers/painted-layers.ts';
import type { Box } from '../box.ts';
import { cleanText } from './clean-text.ts';
import type { SubtitleLayout } from './subtitle-layout.ts';
import type { MeasureText } from './text-measure.ts';

/**
 * The box of each spoken word of a subtitle, as tall as its line; null for a word that is not found as a whole, as when
 * it was broken between two lines. (C43)
 */
export function wordBoxes(
  { text, words, align }: Pick<SubtitleLayer, 'text' | 'words' | 'align'>,
  { block, text: room }: SubtitleLayout,
  measure: MeasureText,
): (Box | null)[] {
  const { lines, face, sizePx, linePx } = block;
  const widthOf = (part: string) => (part === '' ? 0 : measure(part, face) * sizePx);
  let line = 0;
  let from = 0;
  return words.map((word) => {
    const spoken = cleanText(text.slice(word.from, word.to), word.to - word.from).trim();
    if (spoken === '') return null;
    for (let index = line; index < lines.length; index += 1) {
      const at = lines[index]!.text.indexOf(spoken, index === line ? from : 0);
      if (at < 0) continue;
      line = index;
      from = at + spoken.length;
      const { text: whole, width, rightToLeft } = lines[index]!;
      const free = room.width - width * sizePx;
      const left = room.x + (align === 'left' ? 0 : align === 'right' ? free : free / 2);
      const [begin, end] = [widthOf(whole.slice(0, at)), widthOf(whole.slice(0, from))];
      const x = rightToLeft ? left + width * sizePx - end : left + begin;
      return { x, y: room.y + index * linePx, width: end - begin, height: linePx };
    }
    return null;
  });
}
