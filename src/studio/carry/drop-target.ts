import { signal } from '@preact/signals';
import type { Point } from '../kit/drag-session.ts';
import type { Recipe } from '../session/session.ts';

/** A dragged file, and the item whose picture it is. */
export interface CarriedFile {
  readonly field: string;
  readonly itemId: string | null;
}

/** The edit that a drop would make. */
export interface Drop {
  readonly label: string;
  readonly recipe: Recipe;
}

/** A panel that accepts dragged files. */
export interface DropTarget {
  /** Null if a drop would do nothing, or the point is outside. */
  over(at: Point, carried: CarriedFile, event: PointerEvent): Drop | null;
  /** The drag has ended. */
  leave(): void;
}

const targets = new Set<DropTarget>();

/** Whether a panel would accept the dragged file now. */
export const isOverTarget = signal(false);

/** Registers a drop target. Returns a function that removes it. */
export function takeDrops(target: DropTarget): () => void {
  targets.add(target);
  return () => targets.delete(target);
}

/** The drop of a file at a point; null if no panel accepts it there. */
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
