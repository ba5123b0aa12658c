import type { Range, Seconds } from '../../time.ts';
import type { CaptionWord } from './caption-words.ts';

/** A model gets this much sound at a time. It loses words in longer sound, and all of them across long pauses. */
const MAX_CHUNK: Seconds = 14;
/** A breath around speech. */
const PADDING: Seconds = 0.15;
/** A chunk that is this much too long is cut without a pause. */
const SPARE = 1.6;

/** Cuts a recording into chunks to transcribe, between spans of speech where that is possible. */
export function listeningChunks(speech: readonly Range<Seconds>[], duration: Seconds): Range<Seconds>[] {
  const groups: { start: Seconds; end: Seconds }[] = [];
  for (const { start, end } of speech) {
    const open = groups.at(-1);
    if (open !== undefined && end - open.start <= MAX_CHUNK) open.end = end;
    else groups.push({ start, end });
  }
  return groups.flatMap((group, index) => {
    const [before, after] = [groups[index - 1], groups[index + 1]];
    const earliest = before === undefined ? 0 : (before.end + group.start) / 2;
    const latest = after === undefined ? duration : (group.end + after.start) / 2;
    const start = Math.max(earliest, group.start - PADDING);
    const length = Math.min(latest, group.end + PADDING) - start;
    const parts = length <= MAX_CHUNK * SPARE ? 1 : Math.ceil(length / MAX_CHUNK);
    return Array.from({ length: parts }, (_, n) => ({
      start: start + (length * n) / parts,
      end: start + (length * (n + 1)) / parts,
    }));
  });
}

/** Silence that ends this long before a word still belongs in front of it. */
const BEFORE: Seconds = 0.12;
/** Of a word, silence at its beginning may take this share, or this time. */
const BEGINNING = 0.3;
const BEGINNING_SECONDS: Seconds = 0.12;
const MIN_WORD: Seconds = 0.02;

/** Moves the ends of words out of silence: attention is blurred, silence is not. @param silences in order. */
export function snapWords(words: readonly CaptionWord[], silences: readonly Range<Seconds>[]): CaptionWord[] {
  const snapped = words.map((word) => ({ ...word }));
  for (const [index, word] of snapped.entries()) {
    const before = snapped[index - 1];
    const endBefore = (at: Seconds) => {
      if (before !== undefined) before.end = Math.min(before.end, Math.max(before.start + MIN_WORD, at));
    };
    for (const { start, end } of silences) {
      if (end <= word.start - 2 * BEFORE) continue;
      if (start >= word.end) break;
      const beginning = word.start + Math.max(BEGINNING_SECONDS, BEGINNING * (word.end - word.start));
      const isInFront = end <= word.start && end > word.start - BEFORE && start > (before?.start ?? 0);
      if (isInFront || (start <= beginning && end > word.start && end < word.end - MIN_WORD)) {
        word.start = end;
        endBefore(start);
      }
      if (start > word.start + MIN_WORD && start < word.end && end >= word.end - 2 * MIN_WORD) word.end = start;
    }
    endBefore(word.start);
  }
  return snapped;
}
