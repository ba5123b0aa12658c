import { type FrameRate, type Frames, frameAt, frames, type Range } from '../../time.ts';
import { SHORT_SECONDS } from '../../timeline/limits.ts';
import type { Short } from '../model/render-plan.ts';
import { SECONDS } from '../reveal/course.ts';
import type { PlacedTile } from './place-tiles.ts';
import type { PlanContext } from './plan-context.ts';

/** A shorter remainder joins the chunk beside it: a chunk begins with a key frame, and key frames are expensive. */
const SHORTEST_CHUNK_SECONDS = 2;
const LONGEST_TITLE = 200;

/** A short that is still to be cut into chunks. */
type PlacedShort = Omit<Short, 'chunks'>;

/**
 * The ranges of shorts: around every reveal in the video, whether or not a board shows it. Overlapping ranges are
 * joined up to the longest allowed; then the next short begins, around its own reveal. (C52)
 */
export function placeShorts(
  tiles: readonly PlacedTile[],
  { request, rate }: Pick<PlanContext, 'request' | 'rate'>,
  totalFrames: Frames,
): PlacedShort[] {
  const max = frameAt(SHORT_SECONDS.max, rate);
  const reveals = tiles.filter(({ tile }) => tile.move === null && frameAt(tile.position, rate) < totalFrames);
  const shorts: { start: Frames; end: Frames; names: string[] }[] = [];
  for (const reveal of reveals.toSorted((a, b) => a.tile.position - b.tile.position)) {
    const name = request.tierList.items[reveal.tile.item]!.name.replace(/\s+/g, ' ').trim();
    const { start, end: wanted } = shortOf(reveal, rate);
    const end = frames(Math.min(wanted, totalFrames));
    const last = shorts.at(-1);
    if (last !== undefined && start < last.end && end - last.start <= max) {
      last.end = frames(Math.max(last.end, end));
      last.names.push(name);
    } else {
      shorts.push({ start, end, names: [name] });
    }
  }
  return shorts.map(({ start, end, names }) => ({ start, end, title: clipped(names.join(', ')) }));
}

/** The range of a reveal with some time before and after it; for a long hold, its end. */
function shortOf(
  { tile: { position }, event: { verdict, takeOff, lands } }: PlacedTile,
  rate: FrameRate,
): Range<Frames> {
  const { before, after, afterLanding, max, beforeVerdict } = SHORT_SECONDS;
  const start = frameAt(Math.max(0, position - before), rate);
  const end = frames(Math.max(frameAt(position + after, rate), lands + frameAt(afterLanding, rate)));
  if (end - start <= frameAt(max, rate)) return { start, end };
  // Cards of one frame take off together: after the last verdict of them.
  const last = Math.max(verdict, takeOff - frameAt(SECONDS.spotlight.verdict, rate));
  return { start: frames(Math.max(0, last - frameAt(beforeVerdict, rate))), end };
}

/**
 * Cuts a short where the whole video is cut, so that both share chunks; only the remainders at both ends are its own.
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
