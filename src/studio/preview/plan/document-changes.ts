/** Documents by name, each a set of fields: numbers, words, lists of entries. */
export type Documents = Readonly<Record<string, Fields>>;
type Fields = Readonly<Record<string, unknown>>;

/** A document as far as it differs from the one before. */
interface FieldChanges {
  /** All there are, in order. */
  readonly keys: readonly string[];
  /** Fields that are another. */
  readonly put: Fields;
  /** Of lists that are as long as before, the entries that are others. */
  readonly at: Readonly<Record<string, readonly (readonly [index: number, entry: unknown])[]>>;
}

/** What is not named is as it was. */
export type DocumentChanges = Readonly<Record<string, FieldChanges>>;

/**
 * What has to be told of documents to whoever has those before. Two hours are thousands of entries, of which an edit changes one; telling
 * all of them to a worker with every picture of a drag takes longer than drawing it. Told apart by identity: documents are immutable.
 */
export function changesOf(before: Documents, after: Documents): DocumentChanges {
  const changes = Object.entries(after).flatMap(([name, fields]) =>
    fields === before[name] ? [] : [[name, fieldChanges(before[name] ?? {}, fields)] as const],
  );
  return Object.fromEntries(changes);
}

function fieldChanges(before: Fields, after: Fields): FieldChanges {
  const put: [string, unknown][] = [];
  const at: [string, [number, unknown][]][] = [];
  for (const [key, value] of Object.entries(after)) {
    const was = Object.hasOwn(before, key) ? before[key] : undefined;
    if (value === was && value !== undefined) continue;
    if (Array.isArray(value) && Array.isArray(was) && value.length === was.length) {
      at.push([key, value.flatMap((entry, i) => (entry === was[i] ? [] : [[i, entry] as [number, unknown]]))]);
    } else put.push([key, value]);
  }
  return { keys: Object.keys(after), put: Object.fromEntries(put), at: Object.fromEntries(at) };
}

/** The documents after changes; what has not changed is the very same. */
export function changed(before: Documents, changes: DocumentChanges): Documents {
  const parts = Object.entries(changes).map(([name, { keys, put, at }]) => {
    const was = before[name] ?? {};
    const fields = keys.map((key) => {
      if (Object.hasOwn(put, key)) return [key, put[key]];
      if (!Object.hasOwn(at, key)) return [key, was[key]];
      const list = [...(was[key] as readonly unknown[])];
      for (const [index, entry] of at[key]!) list[index] = entry;
      return [key, list];
    });
    return [name, Object.fromEntries(fields)];
  });
  return { ...before, ...Object.fromEntries(parts) };
}
