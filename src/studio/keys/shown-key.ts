import { keyNames } from '../texts/en/commands.ts';

/** The parts of a key as they are displayed. */
export function shownKey(key: string): string[] {
  const parts = key === '+' ? ['+'] : key.split('+');
  return parts.map((part) => SIGNS[part] ?? keyNames[part] ?? part[0]!.toUpperCase() + part.slice(1));
}

const SIGNS: Readonly<Record<string, string>> = {
  arrowleft: '←',
  arrowright: '→',
  arrowup: '↑',
  arrowdown: '↓',
};
