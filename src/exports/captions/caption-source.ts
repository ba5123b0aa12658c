import type { VoicePlan } from '../../plan/outline/voice-plan.ts';
import type { Seconds } from '../../time.ts';

/** What captions are made from, as it is recorded. */
export interface CaptionSource {
  readonly duration: Seconds;
  readonly heard: { readonly file: string } | Pick<VoicePlan, 'audio' | 'sources'>;
}

/** The content that is heard, each once. */
export function contentOf({ heard }: CaptionSource): string[] {
  return 'file' in heard ? [heard.file] : [...new Set(heard.sources.map(([, sha256]) => sha256))];
}
