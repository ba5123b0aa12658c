import { ExportError, type Issue } from '../../errors.ts';
import type { Seconds } from '../../time.ts';
import { UNDETERMINED } from '../../timeline/wanted-fields.ts';
import type { CaptionSegment, CaptionWord } from './caption-words.ts';

/**
 * Of an English model: what it invents from speech in 17 other languages has at most 0.43, transcripts of clean English
 * have 0.66 and more. Those of English below it are of loud noise, and mostly wrong as well.
 */
const MIN_CLARITY = 0.5;
/** Fewer words say nothing about a language. */
const MIN_WORDS = 5;
/** Words in which a repetition counts: about what a model hears at a time. A refrain comes back later. */
const REPEATED_WITHIN = 40;
/** Of words in a row: people seldom say the same three twice. */
const RUN = 3;

/** A voice that is heard for longer says more than a cough. */
const MIN_VOICE_SECONDS = 3;

/** What a model has made of a sound. */
interface Heard {
  readonly segments: readonly CaptionSegment[];
  /** How long a voice is heard. Absent: unknown. */
  readonly voice?: Seconds | undefined;
}

/** Why captions may be wrong, or why there are none. @param language ISO 639, or `und`: the one that the model wrote. */
export function captionWarnings({ segments, voice = 0 }: Heard, language: string): Issue[] {
  const words = segments.flatMap((segment) => segment.words);
  const spoken = language === UNDETERMINED ? 'a language that the model knows' : `the language ${language}`;
  if (words.length === 0) {
    if (voice < MIN_VOICE_SECONDS) return [{ path: '', code: 'captions.no_speech', message: 'No speech found.' }];
    const message =
      `A voice is heard for ${Math.round(voice)} s, and the model found no words. The speech may not be in ${spoken}. ` +
      'Name the language of the speech.';
    return [{ path: '/language', code: 'captions.language_unclear', message }];
  }
  if (words.length < MIN_WORDS || clarity(words) >= MIN_CLARITY) return [];
  const message =
    `The model was unsure of the words, or repeated itself. The speech may not be in ${spoken}, and the text may be ` +
    'invented. Check it, or name the language of the speech.';
  return [{ path: '/language', code: 'captions.language_unclear', message }];
}

/** @throws why there are no captions: their file would be empty. */
export function requireWords({ segments }: Heard, [reason]: readonly Issue[]): void {
  if (segments.length === 0 && reason !== undefined) throw new ExportError('invalid', reason.code, reason.message);
}

/**
 * How clearly a model has understood the speech, from 0 to 1: the geometric mean of its confidences, times the share of
 * runs of words that do not repeat. In a language that it does not know, a model writes what is likely: it is unsure,
 * or sure and in a loop.
 */
function clarity(words: readonly CaptionWord[]): number {
  const confidence = Math.exp(
    words.reduce((sum, word) => sum + Math.log(Math.max(word.confidence, 1e-3)), 0) / words.length,
  );
  let [runs, different] = [0, 0];
  for (let at = 0; at < words.length; at += REPEATED_WITHIN) {
    const heard = words
      .slice(at, at + REPEATED_WITHIN)
      .map(({ text }) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''));
    const found = heard.slice(RUN - 1).map((_, index) => heard.slice(index, index + RUN).join(' '));
    runs += found.length;
    different += new Set(found).size;
  }
  return runs === 0 ? confidence : (confidence * different) / runs;
}
