import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { drawer } from '../kit/drawers.tsx';

/** The parts of the page in focus order, each with the element that receives the focus. */
const PARTS = [
  ['.bin', 'button, input'],
  ['.centre', '.tile[tabindex="0"], .pv-play, button'],
  ['.insp', 'input, select, textarea, button'],
  ['.timeline', '.tl-list'],
] as const;

/** Moves the focus to the next or previous visible part. */
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

/** Selector of the inspector field to focus next; null if none. */
const wanted = signal<string | null>(null);

/** Focuses a field of the inspector, by default the first. Opens the inspector if it is a closed drawer. */
export function focusDetails(field = 'input, select, textarea, [role=radio][tabindex="0"]'): void {
  if (document.querySelector('.insp')?.checkVisibility() !== true) drawer.value = 'details';
  wanted.value = field;
}

/** Used by the inspector: focuses the wanted field as soon as it is rendered. */
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

/** Focuses the first visible match after the next frame, for when the focused element is about to be removed. */
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

/** Like `focusSoon`, but only if the focused element is hidden by then. */
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
