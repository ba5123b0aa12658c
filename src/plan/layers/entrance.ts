import type { Frames } from '../../time.ts';
import type { EntranceName } from '../../timeline/choices.ts';

/** An entrance, in the first frames of an entry; or an exit, in its last frames. (C48, R20) */
export interface Entrance {
  readonly kind: Exclude<EntranceName, 'none'>;
  readonly frames: Frames;
}
