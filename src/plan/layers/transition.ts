import type { Frames } from '../../time.ts';
import type { TransitionName } from '../../timeline/choices.ts';

/** An entrance or exit: over this many frames, from the first one on or up to the last one. (C48, R20) */
export interface Transition {
  readonly kind: Exclude<TransitionName, 'none'>;
  readonly frames: Frames;
}
