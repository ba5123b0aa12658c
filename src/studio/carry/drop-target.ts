import { signal } from '@preact/signals';
import type { Point } from '../kit/drag-session.ts';
import type { Recipe } from '../session/session.ts';

/** A file under the pointer, and the item that it is the picture of. */
export interface CarriedFile {
  readonly field: string;
  readonly itemId: string | null;
}

/** What would be done if something were let go. */
export interface Drop {
  readonly label: string;
  readonly recipe: Recipe;
}

/** A panel that takes files that are carried over it. */
export interface DropTarget {
  /** Null: nothing would be done, or the point is beside it. */
  over(at: Point, carried: CarriedFile, event: PointerEvent): Drop | null;
  /** Nothing is carried any more. */
  leave(): void;
}

const targets = new Set<DropTarget>();

/** Whether a panel would take what is carried now. */
export const isOverTarget = signal(false);

/** A panel takes what is carried over it, until the returned function is called. */
export function takeDrops(target: DropTarget): () => void {
  targets.add(target);
  return () => targets.delete(target);
}

/** What the panel under a point would do with a file; null: no panel takes it there. */
export function dropUnder(at: Point, carried: CarriedFile, event: PointerEvent): Drop | null {
  let found: Drop | null = null;
  for (const target of targets) found = target.over(at, carried, event) ?? found;
  isOverTarget.value = found !== null;
  return found;
}

export function leaveTargets(): void {
  isOverTarget.value = false;
  for (const target of targets) target.leave();
}
