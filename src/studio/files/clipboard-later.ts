import { later } from '../kit/later.tsx';

type Clipboard = typeof import('./clipboard.ts');

let loaded: Clipboard | null = null;

/** Copy, cut, paste and duplicate are no part of the first load. */
export const clipboard = later(async () => {
  loaded = await import('./clipboard.ts');
  return loaded;
});

/** At once: the event of a copy does not wait. null where it is not fetched yet. */
export function loadedClipboard(): Clipboard | null {
  return loaded;
}
