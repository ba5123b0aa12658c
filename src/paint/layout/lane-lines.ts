/** How the cards of a lane make up lines. */
export interface LaneLines {
  /** Cards to a line, in the first lines. */
  readonly columns: number;
  /** How many lines have so many; those after them have one less. */
  readonly fullLines: number;
}

/** A last line shorter than this, of a full one, looks forgotten. */
const FORGOTTEN = 0.5;

/**
 * Full lines; where the last would have less than half of a line, as many that are as long as one another, but for one card: seven are
 * four and three, not six and one. (R11)
 *
 * Who is there already does not matter: cards that come in move none but those behind them.
 */
export function evenLines(most: number, inLine: number): LaneLines {
  const lines = lineCount(most, inLine);
  const last = most - (lines - 1) * inLine;
  if (lines > 1 && last >= inLine * FORGOTTEN) return { columns: inLine, fullLines: lines };
  const columns = Math.max(1, Math.ceil(most / lines));
  return { columns, fullLines: lines - (lines * columns - most) };
}

/** Where the card at a place of a lane stands, both from 0. */
export function slotAt({ columns, fullLines }: LaneLines, place: number): { line: number; column: number } {
  const beyond = place - fullLines * columns;
  // With one card to a line there is no shorter one.
  if (beyond < 0 || columns === 1) return { line: Math.floor(place / columns), column: place % columns };
  return { line: fullLines + Math.floor(beyond / (columns - 1)), column: beyond % (columns - 1) };
}

/** How many lines so many cards take up; an empty lane has one. */
export function linesTaken(lane: LaneLines, cards: number): number {
  return slotAt(lane, Math.max(0, cards - 1)).line + 1;
}

/** How many cards have room side by side. */
export function cardsInLine(
  widthPx: number,
  { cardPx, gapPx }: { readonly cardPx: number; readonly gapPx: number },
): number {
  return Math.floor((widthPx - gapPx) / (cardPx + gapPx) + 1e-9);
}

function lineCount(cards: number, inLine: number): number {
  return Math.max(1, Math.ceil(cards / inLine));
}

/** How tall a lane of so many lines wants to be. */
export function laneHeight(
  lines: number,
  { cardHeightPx, gapPx }: { readonly cardHeightPx: number; readonly gapPx: number },
): number {
  return lines * (cardHeightPx + gapPx) + gapPx;
}
