/** The preferences of a client (RFC 7240), which the service may ignore. */
interface Preferences {
  readonly respondAsync: boolean;
  /** How long it wants to wait; null if it does not say. */
  readonly waitSeconds: number | null;
}

/** Parses `Prefer`; unknown preferences are ignored, as the RFC says, and the first of repeated ones counts. */
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
 * How long a request waits for its result, and which preferences were applied (RFC 7240): with `respond-async` it does
 * not wait, with `wait` up to that time, with both up to that time before an asynchronous response. (C8, C40)
 */
export function waitOf(
  header: string | readonly string[] | undefined,
  waitLimitSeconds: number,
): { readonly seconds: number; readonly applied: string } {
  const { respondAsync, waitSeconds } = readPreferences(header);
  const seconds = Math.min(waitSeconds ?? (respondAsync ? 0 : waitLimitSeconds), waitLimitSeconds);
  const applied = [respondAsync && 'respond-async', waitSeconds !== null && `wait=${seconds}`];
  return { seconds, applied: applied.filter((one) => one !== false).join(', ') };
}
