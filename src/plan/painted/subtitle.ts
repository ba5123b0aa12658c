import type { Frames, Range } from '../../time.ts';
import { enterExitKey } from '../envelope/envelope-key.ts';
import { fontKey } from '../font/font-key.ts';
import { formatEnterExit, formatRect, formatSpan, quote, section } from '../format-values.ts';
import type { SubtitleLayer } from '../layers/painted-layers.ts';
import { rectKey } from '../rect.ts';
import { type PaintedSpec, STILL } from './painted-kind.ts';

/** A text over everything. (C23) */
export const SUBTITLE: PaintedSpec<'subtitle'> = {
  isVeiled: false,
  isGlass: false,
  isEntry: true,
  dividesChunks: false,
  edges: () => [],
  // Words light up one by one, so the picture changes within the span.
  stateAt: ({ words }) => ({ ...STILL, changes: words.length > 0 }),
  key(subtitle, _, range, { digest, once, font }) {
    const text = once(subtitle, () => {
      const { text, rect, sizePx, align, color, background, letters, look } = subtitle;
      const plate = background && [background.color, background.alpha];
      const own = letters === null ? font : [letters.voice, letters.font && fontKey(letters.font)];
      const style = look && [look.outline.color, look.outline.em, look.highlight, look.highlightColor, look.growFrames];
      return digest([text, rectKey(rect), sizePx, align, color, plate, own, ...(style ?? [])]);
    });
    return [text, litWords(subtitle, range), enterExitKey(subtitle, range)];
  },
  written: ({ text }) => text,
  format: (subtitles, rate) =>
    section('subtitles', subtitles, (subtitle, i) => {
      const { id, shows, text, rect, sizePx, align, color, background, words, letters, look } = subtitle;
      const box =
        background === null ? 'no background' : `on ${background.color} ${Math.round(background.alpha * 100)} %`;
      const style =
        look && `${look.highlight} ${look.highlightColor}, outline ${look.outline.color} ${look.outline.em} em`;
      const face = letters && (letters.font?.families[letters.voice] ?? letters.voice);
      const head = `t${i} ${quote(id)} ${formatSpan(shows, rate)} ${quote(text)} ${sizePx}px ${align} ${color}, ${box}, in ${formatRect(rect)}`;
      const lit = words.map(({ from, to, at }) => `${quote(text.slice(from, to))} from ${at}`);
      return [head, face, style, ...formatEnterExit(subtitle), ...lit].filter((part) => part !== null).join(', ');
    }),
  formatRef: ({ index, changes }) => `t${index}${changes ? '(changing)' : ''}`,
};

/** Words and when they light up, as far as it affects the range. */
function litWords({ words, look }: SubtitleLayer, range: Range<Frames>): unknown {
  // A word that began to grow before the range may still grow in it.
  const earliest = range.start - (look?.highlight === 'scale' ? look.growFrames : 0);
  return words.map(({ from, to, at }) => [from, to, Math.min(Math.max(at, earliest), range.end) - range.start]);
}
