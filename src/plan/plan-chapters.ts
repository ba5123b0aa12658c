import { type FrameRate, type Frames, frameAt } from '../time.ts';
import type { ExportRequest } from '../timeline/export-request.ts';
import type { Chapter } from './render-plan.ts';

/** What the time before the first reveal is called where the tier list has no title. */
const OPENING = 'Intro';

/**
 * A chapter for each reveal that happens in the video, whether or not a board shows it; reveals in the same frame share
 * one. (C22, C28, R17)
 */
export function planChapters({ tierList, timeline }: ExportRequest, rate: FrameRate, totalFrames: Frames): Chapter[] {
  const starts: { at: Frames; names: string[] }[] = [];
  for (const { item, position } of timeline.tiles.toSorted((a, b) => a.position - b.position)) {
    const at = frameAt(position, rate);
    if (at >= totalFrames) continue;
    const name = oneLine(tierList.items[item]!.name);
    const last = starts.at(-1);
    if (last?.at === at) last.names.push(name);
    else starts.push({ at, names: [name] });
  }
  if (starts.length > 0 && starts[0]!.at > 0) {
    starts.unshift({ at: 0 as Frames, names: [oneLine(tierList.title) || OPENING] });
  }
  return starts.map(({ at, names }, i) => ({
    start: at,
    end: starts[i + 1]?.at ?? totalFrames,
    title: names.join(', '),
  }));
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
