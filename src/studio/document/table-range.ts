/** A cell of a grid, both from 0. */
export interface Cell {
  readonly row: number;
  readonly column: number;
}

/** The selected cells: from the anchor to the active cell, which keys move. */
export interface TableRange {
  readonly anchor: Cell;
  readonly active: Cell;
}

/** How many rows and columns a grid has, and how many rows a page of it shows. */
export interface GridSize {
  readonly rows: number;
  readonly columns: number;
  readonly page: number;
}

export const FIRST_CELL: TableRange = { anchor: { row: 0, column: 0 }, active: { row: 0, column: 0 } };

/** The corners of a range, the last ones included. */
export function cornersOf({ anchor, active }: TableRange) {
  return {
    top: Math.min(anchor.row, active.row),
    bottom: Math.max(anchor.row, active.row),
    left: Math.min(anchor.column, active.column),
    right: Math.max(anchor.column, active.column),
  };
}

export function at(row: number, column: number): TableRange {
  return { anchor: { row, column }, active: { row, column } };
}

/** The range within the grid. */
export function within({ anchor, active }: TableRange, size: GridSize): TableRange {
  return { anchor: cellWithin(anchor, size), active: cellWithin(active, size) };
}

function cellWithin({ row, column }: Cell, { rows, columns }: GridSize): Cell {
  return { row: Math.max(0, Math.min(rows - 1, row)), column: Math.max(0, Math.min(columns - 1, column)) };
}

type Move = (active: Cell, size: GridSize) => Cell;

const MOVES: Readonly<Record<string, Move>> = {
  arrowup: ({ row, column }) => ({ row: row - 1, column }),
  arrowdown: ({ row, column }) => ({ row: row + 1, column }),
  arrowleft: ({ row, column }) => ({ row, column: column - 1 }),
  arrowright: ({ row, column }) => ({ row, column: column + 1 }),
  home: ({ row }) => ({ row, column: 0 }),
  end: ({ row }, { columns }) => ({ row, column: columns - 1 }),
  pageup: ({ row, column }, { page }) => ({ row: row - page, column }),
  pagedown: ({ row, column }, { page }) => ({ row: row + page, column }),
  'ctrl+home': () => ({ row: 0, column: 0 }),
  'ctrl+end': (_, { rows, columns }) => ({ row: rows - 1, column: columns - 1 }),
  'ctrl+arrowup': ({ column }) => ({ row: 0, column }),
  'ctrl+arrowdown': ({ column }, { rows }) => ({ row: rows - 1, column }),
  'ctrl+arrowleft': ({ row }) => ({ row, column: 0 }),
  'ctrl+arrowright': ({ row }, { columns }) => ({ row, column: columns - 1 }),
};

/** The range after a key, named as in `keys.ts`; null: the key moves nothing. With Shift the anchor stays. */
export function movedBy(range: TableRange, key: string, size: GridSize): TableRange | null {
  const { anchor, active } = range;
  const { rows, columns } = size;
  if (key === 'ctrl+a')
    return within({ anchor: FIRST_CELL.anchor, active: { row: rows - 1, column: columns - 1 } }, size);
  if (key === 'shift+space') {
    return { anchor: { row: anchor.row, column: 0 }, active: { row: active.row, column: columns - 1 } };
  }
  if (key === 'enter') return stepped(range, size, { row: 1, column: 0 });
  if (key === 'shift+enter') return stepped(range, size, { row: -1, column: 0 });
  if (key === 'tab') return stepped(range, size, { row: 0, column: 1 });
  if (key === 'shift+tab') return stepped(range, size, { row: 0, column: -1 });
  const extends_ = key.includes('shift+');
  const move = MOVES[key.replace('shift+', '')];
  if (move === undefined) return null;
  const next = cellWithin(move(active, size), size);
  return { anchor: extends_ ? anchor : next, active: next };
}

/** One cell on. Tab continues in the next row; null at the end of the grid, where the focus leaves it. */
function stepped({ active }: TableRange, size: GridSize, by: Cell): TableRange | null {
  const { rows, columns } = size;
  if (by.column === 0) {
    const { row, column } = cellWithin({ row: active.row + by.row, column: active.column }, size);
    return at(row, column);
  }
  const place = active.row * columns + active.column + by.column;
  if (place < 0 || place >= rows * columns) return null;
  return at(Math.floor(place / columns), place % columns);
}
