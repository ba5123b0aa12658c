import { signal } from '@preact/signals';

const narrow = globalThis.matchMedia?.('(max-width: 639px)');

/** Whether the page has the width of a phone, as `narrow.css` counts it. */
export const isPhone = signal(narrow?.matches ?? false);

narrow?.addEventListener('change', ({ matches }) => {
  isPhone.value = matches;
});
