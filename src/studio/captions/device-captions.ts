import type { MediaFacts } from '../../plan/model/media-facts.ts';
import type { Transcript } from '../../speech/captions/transcript.ts';
import type { TimelineLimits } from '../../timeline/limits.ts';
import type { Presets } from '../../timeline/presets.ts';
import type { SpeechFiles } from '../kit/assets.ts';

/** To `captions-worker`: what to transcribe. */
export interface CaptionsOrder {
  /** The documents of the voice, as a request has them. */
  readonly documents: { readonly tier_list: object; readonly timeline_data: object; readonly settings: object };
  readonly facts: ReadonlyMap<string, MediaFacts>;
  /** By SHA-256. */
  readonly files: ReadonlyMap<string, Blob>;
  readonly presets: Presets;
  readonly limits: TimelineLimits;
  readonly model: SpeechFiles;
}

/** From it: what it does, then the words, or why there are none. */
export type CaptionsReply =
  | { readonly step: 'loading' | 'transcribing'; readonly share: number }
  | { readonly transcript: Transcript; readonly isUnclear: boolean }
  | { readonly fault: 'model' | 'sound' | 'other'; readonly detail: string };
