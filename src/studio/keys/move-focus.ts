import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { drawer } from '../kit/drawers.tsx';

/** Parts of the page, in the order they are gone through, each with where one arrives in it. */
const PARTS = [
  ['.bin', 'button, input'],
  ['.centre, .first', '.tile[tabindex="0"], .pv-play, button'],
  ['.insp', 'input, select, textarea, button'],
  ['.timeline', '.tl-list'],
] as const;

/** Goes to the next part that is seen, or the one before. */
export function focusPart(by: 1 | -1): void {
  const parts = PARTS.flatMap(([selector, inside]) => {
    const part = document.querySelector<HTMLElement>(selector);
    const entrance = part === null ? null : firstSeen(inside, part);
    return part === null || entrance === null ? [] : [{ part, entrance }];
  });
  const here = parts.findIndex(({ part }) => part.contains(document.activeElement));
  const from = here === -1 && by === -1 ? 0 : here;
  parts[(from + by + parts.length) % parts.length]?.entrance.focus();
}

/** The field of the details that the focus is to go to; null: it stays where it is. */
const wanted = signal<string | null>(null);

/** Goes to the details of what is chosen, to a field of them or to the first; where they lie over the rest, they open. */
export function focusDetails(field = 'input, select, textarea, [role=radio][tabindex="0"]'): void {
  if (document.querySelector('.insp')?.checkVisibility() !== true) drawer.value = 'details';
  wanted.value = field;
}

/** For who shows the details: once they are those of what is chosen, the focus goes where it is wanted. */
export function useWantedField(): void {
  const { value: field } = wanted;
  useEffect(() => {
    const found = field === null ? null : document.querySelector<HTMLElement>(`.insp :is(${field})`);
    if (found === null) return;
    wanted.value = null;
    found.focus();
    if (found instanceof HTMLInputElement || found instanceof HTMLTextAreaElement) found.select();
  });
}

/** Where what had the focus is gone by the next picture: to the first of these that is seen. */
export function focusSoon(...selectors: readonly string[]): void {
  requestAnimationFrame(() => {
    for (const selector of selectors) {
      const found = firstSeen(selector, document);
      if (found === null) continue;
      found.focus();
      return;
    }
  });
}

/** Where what has the focus may be hidden by the next picture: then to the first of these that is seen. */
export function keepFocus(...selectors: readonly string[]): void {
  const before = document.activeElement;
  if (before === null || before === document.body) return;
  requestAnimationFrame(() => {
    if (!before.checkVisibility()) focusSoon(...selectors);
  });
}

function firstSeen(selector: string, within: ParentNode): HTMLElement | null {
  const all = [...within.querySelectorAll<HTMLElement>(selector)];
  return all.find((each) => each.checkVisibility() && !each.matches(':disabled')) ?? null;
}
