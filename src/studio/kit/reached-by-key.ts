/** How the focus was reached. `:focus-visible` does not tell: after a click, any key makes it true. */
let last: 'key' | 'pointer' = 'key';
let reached: 'key' | 'pointer' = 'key';

addEventListener(
  'keydown',
  () => {
    last = 'key';
  },
  true,
);
addEventListener(
  'pointerdown',
  () => {
    last = 'pointer';
    reached = 'pointer';
  },
  true,
);
addEventListener(
  'focusin',
  () => {
    reached = last;
  },
  true,
);

/** Whether the focused element was reached by keyboard. */
export function isReachedByKey(): boolean {
  return reached === 'key' && document.activeElement !== document.body;
}
