import type { MediaFacts } from '../../plan/model/media-facts.ts';
import type { Seconds } from '../../time.ts';
import type { MediaContainer } from '../input/media-containers.ts';
import type { ProbedAudio } from './probed-sound.ts';
import type { ProbedVideo } from './probed-video.ts';

/** All that is known of an upload. */
export interface ProbedMedia {
  readonly container: MediaContainer;
  readonly kind: MediaFacts['kind'];
  /** From source time 0 to the end of the stream that lasts longest; 0 for stills. */
  readonly duration: Seconds;
  readonly video: ProbedVideo | null;
  readonly audio: ProbedAudio | null;
  /** A picture that only labels the file, and is not used. */
  readonly coverArt: boolean;
  /** Why a track that is there is not used, or not shown whole: a code. */
  readonly problem: 'media.no_frames' | 'media.truncated' | null;
  readonly facts: Omit<MediaFacts, 'hash'>;
}
