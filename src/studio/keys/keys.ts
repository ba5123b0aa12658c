import { signal } from '@preact/signals';
import { isReachedByKey } from '../kit/reached-by-key.ts';

/** One listener for all keys; panels add theirs. Fields that take text, dialogs and menus keep their keys to themselves. */

/** What keys are for: the headings of their list. */
export type KeyGroup = 'everywhere' | 'cards' | 'playing' | 'timeline';

export interface Key {
  /** As `KeyboardEvent.key` has it, in small letters, after its modifiers: `s`, `shift+delete`, `ctrl+z`. */
  readonly key: string;
  /** For the list of keys; null: not listed. */
  readonly label: string | null;
  readonly group: KeyGroup;
  /** @returns false where it is not for us after all. */
  readonly run: (event: KeyboardEvent) => unknown;
}

const keys: Key[] = [];

/** Whether the list of keys is seen. */
export const keysOpen = signal(false);

/** Adds a key, from now on; the newest is asked first. */
export function onKey(key: string, label: string | null, run: Key['run'], group: KeyGroup = 'everywhere'): () => void {
  const entry = { key, label, run, group };
  keys.unshift(entry);
  return () => {
    const at = keys.indexOf(entry);
    if (at >= 0) keys.splice(at, 1);
  };
}

/** Every key that has a label, for the list of keys. */
export function listedKeys(): readonly Key[] {
  return keys.filter(({ label }) => label !== null).reverse();
}

/** The command of a key that is listed, for menus; null where there is none. */
export function keyed(key: string): Key | null {
  return keys.find((each) => each.key === key && each.label !== null) ?? null;
}

/** `ctrl+shift+z`; Command counts as Control. */
export function keyName({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string {
  const parts = [ctrlKey || metaKey ? 'ctrl' : '', altKey ? 'alt' : ''];
  // A sign that is only there with Shift is itself: `?`, `+`.
  if (shiftKey && (key.length > 1 || /[a-z]/i.test(key))) parts.push('shift');
  return [...parts.filter(Boolean), key === ' ' ? 'space' : key.toLowerCase()].join('+');
}

export function takesText(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;
}

/** Space presses what was reached by key, and plays everywhere else: after a click on a tool too. */
function isPressed(target: EventTarget | null, name: string): boolean {
  return /(^|\+)space$/.test(name) && target instanceof Element && target.matches(PRESSABLE) && isReachedByKey();
}

const PRESSABLE = 'button, a, summary';

/** What lies over the page has the keys while it is there. */
function isCovered(target: EventTarget | null): boolean {
  return (
    document.querySelector('dialog[open]') !== null ||
    (target instanceof Element && target.closest('[popover]') !== null)
  );
}

export function listenForKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || isCovered(event.target)) return;
    const name = keyName(event);
    if (isPressed(event.target, name)) return;
    const isText = takesText(event.target);
    if (isText && !/^ctrl\+(shift\+)?[zys]$/.test(name)) return;
    // In a text field undo is the field's own.
    if (isText && /z|y/.test(name)) return;
    for (const { key, run } of [...keys]) {
      if (key !== name) continue;
      if (run(event) === false) continue;
      event.preventDefault();
      return;
    }
  });
}
