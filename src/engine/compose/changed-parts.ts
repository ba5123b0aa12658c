import type { Overlay } from '../../plan/overlay-painter.ts';
import type { Rect } from '../../plan/render-plan.ts';

/** What is painted over a picture that stands still. */
interface InFront {
  readonly patch: Overlay | null;
  readonly above: readonly Overlay[];
}

/** Where two pictures may differ that have the same below what is painted over them: where one has something that the other has not. */
export function changedParts(one: InFront, other: InFront): Rect[] {
  const [ours, theirs] = [one, other].map(({ patch, above }) => (patch === null ? above : [patch, ...above])) as [
    readonly Overlay[],
    readonly Overlay[],
  ];
  const only = [
    ...ours.filter((overlay) => !theirs.includes(overlay)),
    ...theirs.filter((overlay) => !ours.includes(overlay)),
  ];
  return only.map(({ rect }) => rect);
}
