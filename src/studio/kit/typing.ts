import { type ReadonlySignal, signal } from '@preact/signals';

/** The undo step of a text that is being typed. Its later values replace it. */
export interface TypedStep {
  last: object | undefined;
}

/** The fields whose text is typed and not committed yet. */
const waiting = new Set<() => void>();
const waitingCount = signal(0);
/** How many fields have text that is typed and not committed. */
export const typing: ReadonlySignal<number> = waitingCount;

/** A field has text that is not committed; `commit` commits it. */
export function startTyping(commit: () => void): void {
  waiting.add(commit);
  waitingCount.value = waiting.size;
}

export function endTyping(commit: () => void): void {
  if (waiting.delete(commit)) waitingCount.value = waiting.size;
}

let committing: TypedStep | null = null;

/** Runs an edit as part of a step. */
export function withinStep(step: TypedStep, edit: () => void): void {
  committing = step;
  try {
    edit();
  } finally {
    committing = null;
  }
}

/** The step that an edit of now belongs to; null if it is a step of its own. */
export function typedStep(): TypedStep | null {
  return committing;
}

/** Commits what is typed in all fields, because the page closes. */
export function commitTyped(): void {
  for (const commit of [...waiting]) commit();
}
