import { signal } from '@preact/signals';
import { isReachedByKey } from '../kit/reached-by-key.ts';

/** One listener handles all shortcuts; panels register theirs. Text fields, dialogs and menus keep their own keys. */

/** The headings of the list of shortcuts. */
export type KeyGroup = 'everywhere' | 'cards' | 'playing' | 'timeline';

export interface Key {
  /** `KeyboardEvent.key` in lower case, after its modifiers: `s`, `shift+delete`, `ctrl+z`. */
  readonly key: string;
  /** The text in the list of shortcuts; null if it is not listed. */
  readonly label: string | null;
  readonly group: KeyGroup;
  /** @returns false if the key is not handled after all. */
  readonly run: (event: KeyboardEvent) => unknown;
}

const keys: Key[] = [];

/** Whether the list of shortcuts is open. */
export const keysOpen = signal(false);

/** Registers a key. The newest registration is tried first. Returns a function that removes it. */
export function onKey(key: string, label: string | null, run: Key['run'], group: KeyGroup = 'everywhere'): () => void {
  const entry = { key, label, run, group };
  keys.unshift(entry);
  return () => {
    const at = keys.indexOf(entry);
    if (at >= 0) keys.splice(at, 1);
  };
}

/** Every key with a label. */
export function listedKeys(): readonly Key[] {
  return keys.filter(({ label }) => label !== null).reverse();
}

/** The listed command of a key, for menus; null if there is none. */
export function keyed(key: string): Key | null {
  return keys.find((each) => each.key === key && each.label !== null) ?? null;
}

/** `ctrl+shift+z`; Command counts as Control. */
export function keyName({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string {
  const parts = [ctrlKey || metaKey ? 'ctrl' : '', altKey ? 'alt' : ''];
  // A character that needs Shift is named by itself: `?`, `+`.
  if (shiftKey && (key.length > 1 || /[a-z]/i.test(key))) parts.push('shift');
  return [...parts.filter(Boolean), key === ' ' ? 'space' : key.toLowerCase()].join('+');
}

/** Runs what a control does at this key, if anything; the page and the browser then ignore the key. */
export function runKey(event: KeyboardEvent, keys: Readonly<Record<string, () => void>>): void {
  const run = keys[keyName(event)];
  if (run === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  run();
}

export function takesText(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;
}

/** Space presses a control that was focused by key. Everywhere else it plays, also after a click on a tool. */
function isPressed(target: EventTarget | null, name: string): boolean {
  return /(^|\+)space$/.test(name) && target instanceof Element && target.matches(PRESSABLE) && isReachedByKey();
}

const PRESSABLE = 'button, a, summary';

/** An open dialog or menu takes all keys. */
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
    // A text field has its own undo.
    if (isText && /z|y/.test(name)) return;
    for (const { key, run } of [...keys]) {
      if (key !== name) continue;
      if (run(event) === false) continue;
      event.preventDefault();
      return;
    }
  });
}
