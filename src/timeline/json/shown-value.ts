const LONGEST = 60;

/** A value the way a message quotes it: JSON, cut short, so that a hostile value cannot flood a reply. */
export function shownValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value === 'string') return shownText(value);
  return String(value);
}

/** Text in quotes, control characters escaped, cut by code points. */
export function shownText(text: string): string {
  const head = [...text.slice(0, LONGEST * 2)].slice(0, LONGEST).join('');
  return head.length < text.length ? `${JSON.stringify(head).slice(0, -1)}…"` : JSON.stringify(head);
}
