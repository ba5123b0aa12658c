/** A card arrives in a row, by a reveal or a move. */
export interface Arrival {
  readonly item: string;
  readonly row: string;
  /** The index among the visible cards of the row, without this one. */
  readonly index: number;
}

/** The rows before any move, and the index of each move. (C44) */
interface Arrangement {
  readonly rows: ReadonlyMap<string, readonly string[]>;
  /** One for each arrival; null for a reveal. */
  readonly indices: readonly (number | null)[];
}

/** The time of an item in a row, from one arrival until another. */
interface Stay {
  readonly item: string;
  readonly from: number;
  readonly isReveal: boolean;
  until: number;
}

/**
 * Converts between two ways to count. Documents list all items in the rows before any move, hidden ones included, and the index of a
 * move counts hidden items. An arrival has an index among visible cards only. So each row collects all its stays, past and present, in
 * order. The reveals among them are the row before any move. The index of a move is the number of stays before it at that time.
 */
export function arrangeActs(rowIds: readonly string[], arrivals: readonly Arrival[]): Arrangement {
  const rows = new Map(rowIds.map((id) => [id, [] as Stay[]]));
  const last = new Map<string, Stay>();
  const stays = arrivals.map(({ item, row, index }, from) => {
    const before = last.get(item);
    if (before !== undefined) before.until = from;
    const stay = { item, from, isReveal: before === undefined, until: Number.POSITIVE_INFINITY };
    last.set(item, stay);
    const list = rows.get(row)!;
    const seen = list.filter(({ until }) => until > from);
    const next = seen[index];
    list.splice(next === undefined ? list.length : list.indexOf(next), 0, stay);
    return stay;
  });
  const indices = stays.map((stay, i) => {
    if (stay.isReveal) return null;
    const list = rows.get(arrivals[i]!.row)!;
    const isThere = ({ isReveal, from, until }: Stay) => until > stay.from && (isReveal || from < stay.from);
    return list.slice(0, list.indexOf(stay)).filter(isThere).length;
  });
  const revealed = [...rows].map(
    ([id, list]) => [id, list.filter(({ isReveal }) => isReveal).map(({ item }) => item)] as const,
  );
  return { rows: new Map(revealed), indices };
}
