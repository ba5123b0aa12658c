/** A key as people read it, part by part. */
export function shownKey(key: string): string[] {
  const parts = key === '+' ? ['+'] : key.split('+');
  return parts.map((part) => SIGNS[part] ?? part[0]!.toUpperCase() + part.slice(1));
}

const SIGNS: Readonly<Record<string, string>> = {
  arrowleft: '←',
  arrowright: '→',
  arrowup: '↑',
  arrowdown: '↓',
  ctrl: 'Ctrl',
  f2: 'F2',
  f10: 'F10',
};
