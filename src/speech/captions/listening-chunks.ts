import type { Range, Seconds } from '../../time.ts';

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
