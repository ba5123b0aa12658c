import type { CaptionsView } from '../../../exports/api/captions-api.ts';
import type { CaptionWord } from '../../../speech/captions/caption-words.ts';

/** The address of captions. (C77) */
export function captionsPath(id: string): string {
  return `/video/captions/${id}`;
}

/** Captions as clients see them. (C77) */
export function captionsMetadata({ id, state, progress, language, transcript, failure }: CaptionsView) {
  return {
    ok: failure === null,
    captions_id: id,
    state,
    progress: Math.round(progress * 1000) / 1000,
    language,
    ...(transcript !== null && {
      duration: millis(transcript.duration),
      segments: transcript.segments.map(({ start, end, text, words }) => {
        return { start: millis(start), end: millis(end), text, words: words.map(wordMetadata) };
      }),
    }),
    ...(failure !== null && { error: { code: failure.code, message: failure.message } }),
  };
}

function wordMetadata({ text, start, end, confidence }: CaptionWord) {
  return { text, start: millis(start), end: millis(end), confidence: Math.round(confidence * 1000) / 1000 };
}

/** Milliseconds are precise enough. */
function millis(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
