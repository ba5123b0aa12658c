import { type FrameRate, type Frames, frameAt, type Range } from '../../time.ts';
import type { ExportRequest } from '../../timeline/export-request.ts';
import { SHORT_SECONDS } from '../../timeline/limits.ts';
import type { Short } from '../render-plan.ts';

/** A rest shorter than that goes with what is beside it: a chunk begins with a key frame, and these are dear. */
const SHORTEST_CHUNK_SECONDS = 2;
const LONGEST_TITLE = 200;

/** A short that is still to be cut into chunks. */
type PlacedShort = Omit<Short, 'chunks'>;

/**
 * Where shorts are: around every reveal that happens in the video, whether or not a board shows it. Those that overlap are one,
 * as long as it is not too long for one; then the next begins anew, around its own reveal. (C52)
 */
export function placeShorts(
  { tierList, timeline }: ExportRequest,
  rate: FrameRate,
  totalFrames: Frames,
): PlacedShort[] {
  const { before, after, most } = SHORT_SECONDS;
  const reveals = timeline.tiles.filter(({ move, position }) => move === null && frameAt(position, rate) < totalFrames);
  const shorts: { start: Frames; end: Frames; names: string[] }[] = [];
  for (const { item, position } of reveals.toSorted((a, b) => a.position - b.position)) {
    const name = tierList.items[item]!.name.replace(/\s+/g, ' ').trim();
    const start = frameAt(Math.max(0, position - before), rate);
    const end = Math.min(frameAt(position + after, rate), totalFrames) as Frames;
    const last = shorts.at(-1);
    if (last !== undefined && start < last.end && (end - last.start) * rate.den <= most * rate.num) {
      last.end = end;
      last.names.push(name);
    } else {
      shorts.push({ start, end, names: [name] });
    }
  }
  return shorts.map(({ start, end, names }) => ({ start, end, title: clipped(names.join(', ')) }));
}

/**
 * Cuts a short where the whole video is cut, so that what is rendered of one serves the other; the rests at both ends are its
 * own.
 */
export function cutShort(short: Range<Frames>, chunks: readonly Range<Frames>[], rate: FrameRate): Range<Frames>[] {
  const shortest = frameAt(SHORTEST_CHUNK_SECONDS, rate);
  const cuts = chunks
    .map(({ end }) => end)
    .filter((cut) => cut - short.start >= shortest && short.end - cut >= shortest);
  const starts = [short.start, ...cuts];
  return starts.map((start, i) => ({ start, end: cuts[i] ?? short.end }));
}

function clipped(title: string): string {
  const characters = [...title];
  return characters.length <= LONGEST_TITLE ? title : `${characters.slice(0, LONGEST_TITLE - 1).join('')}…`;
}
