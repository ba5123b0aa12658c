/** How the focus came to where it is. A browser's own `:focus-visible` forgets that: after a click, any key makes it true. */
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

/** Whether whoever has come to what has the focus did so without a pointer, and so has nothing but keys to use it with. */
export function isReachedByKey(): boolean {
  return reached === 'key' && document.activeElement !== document.body;
}
