/** How the cards of a lane make up lines. */
export interface LaneLines {
  /** Cards to a line, in the first lines. */
  readonly columns: number;
  /** How many lines have that many columns; the lines after them have one less. */
  readonly fullLines: number;
}

/** A last line shorter than this, of a full one, looks forgotten. */
const FORGOTTEN = 0.5;

/**
 * Full lines; if the last would have less than half of a line, all lines get equal lengths, within one card: seven are
 * four and three, not six and one. (R11)
 *
 * The number of visible cards does not matter: a new card moves only those behind it.
 */
export function evenLines(max: number, inLine: number): LaneLines {
  const lines = lineCount(max, inLine);
  const last = max - (lines - 1) * inLine;
  if (lines > 1 && last >= inLine * FORGOTTEN) return { columns: inLine, fullLines: lines };
  const columns = Math.max(1, Math.ceil(max / lines));
  return { columns, fullLines: lines - (lines * columns - max) };
}

/** The line and column of the card at a place of a lane, all from 0. */
export function slotAt({ columns, fullLines }: LaneLines, place: number): { line: number; column: number } {
  const beyond = place - fullLines * columns;
  // With one card to a line there is no shorter line.
  if (beyond < 0 || columns === 1) return { line: Math.floor(place / columns), column: place % columns };
  return { line: fullLines + Math.floor(beyond / (columns - 1)), column: beyond % (columns - 1) };
}

/** How many lines this many cards take up; an empty lane has one. */
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

/** The natural height of a lane with this many lines. */
export function laneHeight(
  lines: number,
  { cardHeightPx, gapPx }: { readonly cardHeightPx: number; readonly gapPx: number },
): number {
  return lines * (cardHeightPx + gapPx) + gapPx;
}
