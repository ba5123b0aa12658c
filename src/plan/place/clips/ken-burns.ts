import type { Camera } from '../../../timeline/request/places.ts';

/** The views of `ken_burns`; it uses one of them: slow, and never far from the middle. (C59) */
const VIEWS: readonly { readonly from: Camera; readonly to: Camera }[] = [
  [{ x: 50, y: 50, scale: 1 }, { x: 54, y: 46, scale: 1.18 }],
  [{ x: 54, y: 52, scale: 1.18 }, { x: 50, y: 50, scale: 1 }],
  [{ x: 45, y: 48, scale: 1.14 }, { x: 55, y: 52, scale: 1.14 }],
  [{ x: 50, y: 50, scale: 1 }, { x: 45, y: 47, scale: 1.18 }],
  [{ x: 55, y: 47, scale: 1.14 }, { x: 45, y: 53, scale: 1.14 }],
  [{ x: 46, y: 46, scale: 1.18 }, { x: 50, y: 50, scale: 1 }],
].map(([from, to]) => ({ from: from!, to: to! })); // biome-ignore format: a table

/** @param name the clip's id, or the hash of its file where it has none. */
export function kenBurns(name: string): { readonly from: Camera; readonly to: Camera } {
  return VIEWS[hashOf(name) % VIEWS.length]!;
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash;
}
