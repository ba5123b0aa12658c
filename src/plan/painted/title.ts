import { enterExitKey } from '../envelope/envelope-key.ts';
import { fontKey } from '../font/font-key.ts';
import { formatEnterExit, formatRect, formatSpan, quote, section } from '../format-values.ts';
import { rectKey } from '../rect.ts';
import { type PaintedSpec, STILL } from './painted-kind.ts';

/** An opening card, a lower third, a label. (C60) */
export const TITLE: PaintedSpec<'title'> = {
  isVeiled: false,
  isGlass: false,
  isEntry: true,
  dividesChunks: false,
  edges: () => [],
  stateAt: () => STILL,
  key(title, _, range, { digest, once, theme }) {
    const look = once(title, () => {
      const { kind, text, subtext, rect, textRect, sizePx, align, color, background, font } = title;
      const place = [rectKey(rect), rectKey(textRect), sizePx, align];
      const colors = [color, background.color, background.alpha];
      return digest(['title', kind, text, subtext, place, colors, font && fontKey(font), theme]);
    });
    return [look, enterExitKey(title, range)];
  },
  written: ({ text, subtext }) => [text, subtext],
  format: (titles, rate) =>
    section('titles', titles, (title, i) => {
      const { id, kind, shows, text, subtext, textRect, sizePx, align, color, background } = title;
      const words = [text, subtext].filter((part) => part !== '').map(quote);
      const ground = `on ${background.color} ${Math.round(background.alpha * 100)} %`;
      const head = `h${i} ${quote(id)} ${kind} ${formatSpan(shows, rate)} ${words.join(' over ')}`;
      const look = `${sizePx}px ${align} ${color}, ${ground}, in ${formatRect(textRect)}`;
      return [`${head} ${look}`, ...formatEnterExit(title)].join(', ');
    }),
  formatRef: ({ index, changes }) => `h${index}${changes ? '(changing)' : ''}`,
};
