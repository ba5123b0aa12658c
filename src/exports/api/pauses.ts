import type { Range, Seconds } from '../../time.ts';
import type { Submission } from './submission.ts';

/** A request for the pauses in one file. The caller removes the files. (C78) */
export type PausesRequest = Pick<Submission, 'tenant' | 'texts' | 'uploads'>;

/** The speech in a file, and the pauses that can be cut; in seconds. */
export interface Pauses {
  readonly duration: Seconds;
  readonly speech: readonly Range<Seconds>[];
  readonly pauses: readonly Range<Seconds>[];
}
