/** Keys with another meaning during a take. */
const TAKEN = new Set(['p']);

/** The key of each row: the letter of its label if it is unique, else its number. */
export function rowKeys(
  rows: readonly { readonly id: string; readonly label?: string | undefined }[],
): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  const used = new Set(TAKEN);
  for (const { id, label = '' } of rows) {
    const key = label.trim().toLowerCase();
    if (!/^[a-z]$/.test(key) || used.has(key)) continue;
    used.add(key);
    keys.set(id, key);
  }
  for (const [i, { id }] of rows.entries()) if (!keys.has(id) && i < 9) keys.set(id, String(i + 1));
  return keys;
}
