const LONGEST = 60;
const MAX_NAMES = 5;

/** A value the way a message quotes it: JSON, cut short, so that a hostile value cannot flood a reply. */
export function shownValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value === 'string') return shownText(value);
  return String(value);
}

/** The text of a field for a number: without quotes if it is a number. */
export function shownNumber(text: string): string {
  return /^\s*-?\d{1,15}(?:\.\d{1,15})?\s*$/.test(text) ? text.trim() : shownText(text);
}

/** The first few of `names`, quoted, and how many more there are; `none` if there are none. */
export function shownNames(names: Iterable<string>): string {
  const all = [...names];
  const shown = all.slice(0, MAX_NAMES).map(shownText).join(', ');
  if (all.length > MAX_NAMES) return `${shown} and ${all.length - MAX_NAMES} more`;
  return shown === '' ? 'none' : shown;
}

/** Text in quotes, control characters escaped, cut by code points. */
export function shownText(text: string): string {
  const head = [...text.slice(0, LONGEST * 2)].slice(0, LONGEST).join('');
  return head.length < text.length ? `${JSON.stringify(head).slice(0, -1)}…"` : JSON.stringify(head);
}
