import { later } from '../kit/later.tsx';

type Clipboard = typeof import('./clipboard.ts');

let loaded: Clipboard | null = null;

/** Copy, cut, paste and duplicate are not in the first load. */
export const clipboard = later(async () => {
  loaded = await import('./clipboard.ts');
  return loaded;
});

/** Synchronous, since a copy event cannot wait. null if it is not loaded yet. */
export function loadedClipboard(): Clipboard | null {
  return loaded;
}
