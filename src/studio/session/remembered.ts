import { type Signal, signal } from '@preact/signals';

/**
 * A signal whose value is stored in this browser. It is not part of any project.
 *
 * @param read validates the stored JSON value; null if it is not usable.
 */
export function remembered<T>(key: string, initial: T, read: (kept: unknown) => T | null): Signal<T> {
  const value = signal(kept() ?? initial);
  value.subscribe((next) => {
    try {
      if (next === initial) localStorage.removeItem(key);
      else localStorage.setItem(key, JSON.stringify(next));
    } catch {
      // Without storage, the value lasts as long as the page.
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
