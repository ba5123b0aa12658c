import type { Cue } from '../subtitle-file/cue.ts';

/** Longer lines are wrapped. Only the painter knows into how many; this is an estimate. */
const LINE_CHARACTERS = 40;

/** How many lines a text is likely to take. */
export function estimatedLines(text: string): number {
  return text.split('\n').reduce((lines, line) => lines + Math.max(1, Math.ceil(line.length / LINE_CHARACTERS)), 0);
}

/**
 * For each cue, how many lines of others are shown below it: cues that overlap in time and have no position of their
 * own would be drawn over one another. The one that begins first is lowest, as in players.
 */
export function linesBelow(cues: readonly Cue[]): number[] {
  const below = cues.map(() => 0);
  const inOrder = [...cues.keys()]
    .filter((index) => cues[index]!.place.down === undefined)
    .sort((a, b) => cues[a]!.start - cues[b]!.start || a - b);
  let shown: { readonly end: number; readonly from: number; readonly to: number }[] = [];
  for (const index of inOrder) {
    const { start, end, text } = cues[index]!;
    shown = shown.filter((other) => other.end > start).sort((a, b) => a.from - b.from);
    const lines = estimatedLines(text);
    let from = 0;
    for (const other of shown) if (from + lines > other.from && from < other.to) from = other.to;
    shown.push({ end, from, to: from + lines });
    below[index] = from;
  }
  return below;
}
