/** A card comes to a place in a row: it is revealed there, or moved there. */
export interface Arrival {
  readonly item: string;
  readonly row: string;
  /** Among the cards that are seen in the row, without this one. */
  readonly index: number;
}

/** The rows before any move, and the place that each move names. (C44) */
interface Arrangement {
  readonly rows: ReadonlyMap<string, readonly string[]>;
  /** For each arrival; null where the card is revealed. */
  readonly indices: readonly (number | null)[];
}

/** An item in a row, from one of the arrivals until another. */
interface Stay {
  readonly item: string;
  readonly from: number;
  readonly isReveal: boolean;
  until: number;
}

/**
 * Documents say where all items stand before any move, hidden ones included, and count hidden ones in the place of a move. Here each arrival
 * names its place among what is seen. So every row is a list of all stays in it, past and present, in their order: those that are
 * reveals are the row before any move, and a move's place is what stands before it then.
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
