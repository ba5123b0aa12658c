import { boardEdges, eventsAt } from '../board-state.ts';
import { enterExitKey } from '../envelope/envelope-key.ts';
import { formatEnterExit, formatRect, formatSpan, quote, section } from '../format-values.ts';
import { rectKey } from '../rect.ts';
import type { PaintedSpec } from './painted-kind.ts';

/** A window onto the board, which all windows share. (C21) */
export const BOARD_WINDOW: PaintedSpec<'board'> = {
  isVeiled: true,
  isGlass: true,
  isEntry: true,
  dividesChunks: true,
  *edges(windows, board) {
    if (windows.length > 0 && board !== null) yield* boardEdges(board);
  },
  stateAt(_, at, board) {
    const { started, settled, confetti } = eventsAt(board!, at);
    return { started, settled, changes: started > settled || confetti.length > 0 };
  },
  key(window, _, range, { board, theme }) {
    return [
      board!.manySizes ? 'board, pictures by way of a copy' : 'board',
      rectKey(window.rect),
      theme,
      ...board!.at(range),
      enterExitKey(window, range),
    ];
  },
  written: (_, { title, board }) => [title, board],
  format: (windows, rate) =>
    section('windows', windows, (window, i) => {
      const place = `w${i} ${quote(window.id)} ${formatSpan(window.shows, rate)} at ${formatRect(window.rect)}`;
      return [place, ...formatEnterExit(window)].join(', ');
    }),
  formatRef({ index, started, settled, changes }) {
    const moving = started - settled;
    const changing = moving === 0 && changes ? ' changing' : '';
    return `w${index}(${settled}${moving > 0 ? `+${moving} moving` : ''}${changing})`;
  },
};
