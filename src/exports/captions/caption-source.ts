import type { VoicePlan } from '../../plan/plan-audio.ts';
import type { Seconds } from '../../time.ts';

/** The recorded input of captions. */
export interface CaptionSource {
  readonly duration: Seconds;
  readonly heard: { readonly file: string } | Pick<VoicePlan, 'audio' | 'sources'>;
}

/** The hashes of the heard content, without duplicates. */
export function contentOf({ heard }: CaptionSource): string[] {
  return 'file' in heard ? [heard.file] : [...new Set(heard.sources.map(([, sha256]) => sha256))];
}
