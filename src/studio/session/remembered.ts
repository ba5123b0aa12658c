import { type Signal, signal } from '@preact/signals';

/**
 * A signal whose value this browser remembers. It is not part of any project.
 *
 * @param read what was remembered, as JSON has it; null: it is of no use.
 */
export function remembered<T>(key: string, initial: T, read: (kept: unknown) => T | null): Signal<T> {
  const value = signal(kept() ?? initial);
  value.subscribe((next) => {
    try {
      if (next === initial) localStorage.removeItem(key);
      else localStorage.setItem(key, JSON.stringify(next));
    } catch {
      // Where the browser keeps nothing, it lasts as long as the page.
    }
  });
  return value;

  function kept(): T | null {
    try {
      const text = localStorage.getItem(key);
      return text === null ? null : read(JSON.parse(text));
    } catch {
      return null;
    }
  }
}

export function readFlag(kept: unknown): boolean | null {
  return typeof kept === 'boolean' ? kept : null;
}
