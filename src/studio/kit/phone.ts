import { signal } from '@preact/signals';

const narrow = globalThis.matchMedia?.('(max-width: 639px)');

/** Whether the window is as narrow as a phone, by the breakpoint of `narrow.css`. */
export const isPhone = signal(narrow?.matches ?? false);

narrow?.addEventListener('change', ({ matches }) => {
  isPhone.value = matches;
});
