/** Documents by name, each with its fields: numbers, texts, lists of entries. */
export type Documents = Readonly<Record<string, Fields>>;
type Fields = Readonly<Record<string, unknown>>;

/** The difference between two versions of a document. */
interface FieldChanges {
  /** All field names, in order. */
  readonly keys: readonly string[];
  /** Changed fields. */
  readonly put: Fields;
  /** Changed entries of lists whose length is the same. */
  readonly at: Readonly<Record<string, readonly (readonly [index: number, entry: unknown])[]>>;
}

/** Documents without an entry here are unchanged. */
export type DocumentChanges = Readonly<Record<string, FieldChanges>>;

/**
 * The difference that a worker needs to update its documents. A timeline of two hours has thousands of entries, and an edit changes
 * one. Sending all of them at every frame of a drag takes longer than drawing it. Compared by identity, since documents are immutable.
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

/** The documents after changes. Unchanged parts keep their identity. */
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
