import { type FrameRate, type Frames, frameAt } from '../time.ts';
import type { ExportRequest, TierList } from '../timeline/request/export-request.ts';
import type { Chapter } from './render-plan.ts';

/** The name of the time before the first reveal, if the tier list has no title. */
const OPENING = 'Intro';

/**
 * A chapter for each tile in the video, whether or not a board shows it; those in the same frame share one. A move
 * names both rows. (C22, C28, C44, R17)
 */
export function planChapters({ tierList, timeline }: ExportRequest, rate: FrameRate, totalFrames: Frames): Chapter[] {
  const starts: { at: Frames; names: string[] }[] = [];
  const rowOf = new Map(tierList.rows.flatMap(({ items }, row) => items.map((item) => [item, row])));
  for (const { item, position, move } of timeline.tiles.toSorted((a, b) => a.position - b.position)) {
    const at = frameAt(position, rate);
    if (at >= totalFrames) continue;
    const name = chapterName({ tierList, item, from: rowOf.get(item), to: move?.row });
    if (move !== null) rowOf.set(item, move.row);
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

/** "Pluto", or "Pluto: D → S" where it changes rows. */
function chapterName(tile: {
  readonly tierList: TierList;
  readonly item: number;
  readonly from: number | undefined;
  readonly to: number | undefined;
}): string {
  const { tierList, item, from, to } = tile;
  const name = oneLine(tierList.items[item]!.name);
  if (to === undefined || to === from) return name;
  const label = (row: number) => oneLine(tierList.rows[row]!.label);
  return from === undefined ? `${name}: → ${label(to)}` : `${name}: ${label(from)} → ${label(to)}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
