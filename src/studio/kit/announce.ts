import { signal } from '@preact/signals';

/** What a screen reader says next. The page has one live region for it, which is there whatever panel is seen. */
export const announced = signal('');

export function announce(text: string): void {
  announced.value = text;
}
