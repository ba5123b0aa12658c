/** What a client would like (RFC 7240): we may, but need not. */
interface Preferences {
  readonly respondAsync: boolean;
  /** How long it wants us to wait; null where it does not say. */
  readonly waitSeconds: number | null;
}

/** Reads `Prefer`; what we do not understand is ignored, as the RFC says, and of repetitions the first counts. */
export function readPreferences(header: string | readonly string[] | undefined): Preferences {
  const seen = new Map<string, string>();
  const text = header === undefined || typeof header === 'string' ? (header ?? '') : header.join(',');
  for (const preference of text.split(',')) {
    const [, name, value] = /^\s*([A-Za-z-]+)\s*(?:=\s*"?([^";]*)"?)?\s*(?:;.*)?$/.exec(preference) ?? [];
    if (name !== undefined && !seen.has(name.toLowerCase())) seen.set(name.toLowerCase(), (value ?? '').trim());
  }
  const wait = seen.get('wait');
  return {
    respondAsync: seen.has('respond-async'),
    waitSeconds: wait !== undefined && /^\d{1,9}$/.test(wait) ? Number(wait) : null,
  };
}

/**
 * How long a request waits for what it has asked for once all of it is here, and which preferences that follows (RFC 7240): with
 * `respond-async` not at all, with `wait` so long, with both so long before it answers without. (C8, C40)
 */
export function patienceOf(
  header: string | readonly string[] | undefined,
  waitLimitSeconds: number,
): { readonly seconds: number; readonly applied: string } {
  const { respondAsync, waitSeconds } = readPreferences(header);
  const seconds = Math.min(waitSeconds ?? (respondAsync ? 0 : waitLimitSeconds), waitLimitSeconds);
  const applied = [respondAsync && 'respond-async', waitSeconds !== null && `wait=${seconds}`];
  return { seconds, applied: applied.filter((one) => one !== false).join(', ') };
}
