import { type Signal, signal } from '@preact/signals';

/** Whether the window is as narrow as a phone, by the breakpoint of `narrow.css`. */
export const isPhone = matching('(max-width: 639px)');
/** Whether media and inspector are drawers. */
export const hasDrawers = matching('(max-width: 1023px)');

function matching(query: string): Signal<boolean> {
  const media = globalThis.matchMedia?.(query);
  const matches = signal(media?.matches ?? false);
  media?.addEventListener('change', (event) => {
    matches.value = event.matches;
  });
  return matches;
}
