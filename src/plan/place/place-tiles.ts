import { type FrameRate, type Frames, frameAt, frameRange, frames, type Range } from '../../time.ts';
import type { ExportRequest, TileEntry } from '../../timeline/export-request.ts';
import type { IssueList } from '../../timeline/issue-list.ts';
import type { BoardEvent, Weight } from '../model/board-scene.ts';
import { confettiSeed } from '../reveal/confetti.ts';
import { LONGER_HOLD, SECONDS } from '../reveal/course.ts';
import { type StagedTile, stageCues } from '../reveal/stage.ts';
import { lookOf } from '../theme/theme-looks.ts';
import type { PlanContext } from './plan-context.ts';

/** A tile and its event. */
export interface PlacedTile {
  readonly tile: TileEntry;
  /** Its request to the stage. */
  readonly cue: StagedTile;
  readonly event: BoardEvent;
}

/**
 * The events of items, in the order in which they start. They depend on the timeline alone, not on what a preset shows:
 * the pictures of all presets and their common sound use the same frames. (C12, R26)
 */
export function placeTiles({ request, rate, issues }: Pick<PlanContext, 'request' | 'rate' | 'issues'>): PlacedTile[] {
  const tiles = drawnTiles(request, issues);
  const revealedAt = new Map(
    tiles.flatMap(({ item, move, position }) => (move === null ? [[item, frameAt(position, rate)]] : [])),
  );
  // In one and the same frame an item is revealed before it moves.
  const inOrder = tiles.toSorted((a, b) => Number(a.move !== null) - Number(b.move !== null));
  // Before it is revealed, an item changes places unseen.
  const isSeen = ({ item, move, position }: TileEntry) =>
    move === null || (revealedAt.get(item) ?? 0) <= frameAt(position, rate);
  const weights = weightsOf(inOrder, request, rate);
  const lastTop = lastAtTop(inOrder, weights);
  const cues = inOrder.map((tile, index) => {
    const longer = weights[index] !== 'top' ? 1 : index === lastTop ? LONGER_HOLD.last : LONGER_HOLD.top;
    return cueOf(tile, isSeen(tile), longer, rate);
  });
  const { leave } = lookOf({ name: request.settings.theme.base }).motion;
  const staged = stageCues(cues, openBoards(request, rate), rate, leave.seconds);
  const placed = inOrder
    .map(({ item, move: to, path }, index): PlacedTile => {
      const { style, course, hadNoRoom } = staged[index]!;
      if (hadNoRoom) {
        const message = `There is no room for a ${cues[index]!.style} between what is on the stage before and after it, or before the board closes. The card pops in instead.`;
        issues.warn(path, 'tile.no_room', message);
      }
      return {
        tile: inOrder[index]!,
        cue: cues[index]!,
        event: { item, style, to, confetti: null, ...course, ...weightOf(weights[index]) },
      };
    })
    .sort((a, b) => a.event.at - b.event.at);
  return withConfetti(placed, ({ tile }) => isSeen(tile), request);
}

/** The tiles with the confetti that they, or the rows they land in, ask for. (C55) */
function withConfetti(
  placed: readonly PlacedTile[],
  isSeen: (tile: PlacedTile) => boolean,
  { tierList, settings }: ExportRequest,
): PlacedTile[] {
  const rowOf = new Map(tierList.rows.flatMap(({ items }, row) => items.map((item) => [item, row])));
  return placed.map((each) => {
    const { tile, event } = each;
    if (event.to !== null) rowOf.set(event.item, event.to.row);
    const effect = tile.effect ?? settings.effects[rowOf.get(event.item) ?? -1];
    if (effect !== 'confetti' || !isSeen(each)) return each;
    return { ...each, event: { ...event, confetti: confettiSeed(tierList.items[event.item]!.id) } };
  });
}

/**
 * The tiles that have a visible effect. If the pool is never shown, an item in no row is not drawn: a reveal there
 * shows nothing, and its first move has no start, so the card pops in. (C65)
 */
function drawnTiles({ tierList, timeline, settings }: ExportRequest, issues: IssueList): TileEntry[] {
  if (settings.pool !== 'never') return [...timeline.tiles];
  const drawn = new Set(tierList.rows.flatMap(({ items }) => items));
  const inTime = timeline.tiles.toSorted((a, b) => a.position - b.position);
  return inTime.flatMap((tile): TileEntry[] => {
    if (drawn.has(tile.item)) return [tile];
    if (tile.move === null) {
      const message = 'The item is in no row then, and the pool is never shown; this reveal shows nothing.';
      issues.warn(tile.path, 'tile.not_drawn', message);
      return [];
    }
    drawn.add(tile.item);
    return [tile.style === 'move' ? { ...tile, style: 'pop' } : tile];
  });
}

/** Lists with fewer rows have no extremes: every reveal would be a moment of its own. */
const MIN_ROWS = 3;

/** Of each tile: whether its item goes to the first row or the last. (R41) */
function weightsOf(
  tiles: readonly TileEntry[],
  { tierList: { rows } }: ExportRequest,
  rate: FrameRate,
): (Weight | undefined)[] {
  const rowOf = new Map(rows.flatMap(({ items }, row) => items.map((item) => [item, row])));
  const weights: (Weight | undefined)[] = [];
  const inTime = [...tiles.keys()].sort(
    (a, b) => frameAt(tiles[a]!.position, rate) - frameAt(tiles[b]!.position, rate),
  );
  for (const index of inTime) {
    const { item, move } = tiles[index]!;
    if (move !== null) rowOf.set(item, move.row);
    const row = rowOf.get(item);
    const weight = row === 0 ? 'top' : row === rows.length - 1 ? 'bottom' : undefined;
    weights[index] = rows.length < MIN_ROWS ? undefined : weight;
  }
  return weights;
}

function weightOf(weight: Weight | undefined): { readonly weight?: Weight } {
  return weight === undefined ? {} : { weight };
}

/** The last spotlight of the top row: the longest of all. (R41) */
function lastAtTop(tiles: readonly TileEntry[], weights: readonly (Weight | undefined)[]): number | null {
  const atTop = [...tiles.keys()].filter((index) => weights[index] === 'top' && tiles[index]!.style === 'spotlight');
  return atTop.reduce<number | null>(
    (last, index) => (last === null || tiles[index]!.position >= tiles[last]!.position ? index : last),
    null,
  );
}

/** @param longer how much longer than usual it is held, if its tile does not say how long. */
function cueOf(
  { item, style, position, verdict }: TileEntry,
  isSeen: boolean,
  longer: number,
  rate: FrameRate,
): StagedTile {
  const at = frameAt(position, rate);
  if (!isSeen || style !== 'spotlight') return { item, at, style: isSeen ? style : 'none', hold: null };
  const { entrance, minHold } = SECONDS.spotlight;
  const held = (seconds: number) => frameAt(entrance + seconds, rate);
  if (verdict.by === 'stamp_at') {
    const length = held(0);
    return { item, at, style, hold: { length, minLength: length, stampAt: frameAt(verdict.at, rate), isOwn: true } };
  }
  const { hold, own: isOwn } = verdict;
  return {
    item,
    at,
    style,
    hold: {
      length: held(isOwn ? hold : hold * longer),
      minLength: held(Math.min(hold, minHold)),
      stampAt: null,
      isOwn,
    },
  };
}

/** When a board is open, in any preset; blocks that touch are one. */
export function openBoards({ hasTierList, timeline }: ExportRequest, rate: FrameRate): Range<Frames>[] {
  if (!hasTierList) return [];
  const open: { start: Frames; end: Frames }[] = [];
  const blocks = timeline.blocks.map(({ start, duration }) => frameRange(start, start + duration, rate));
  for (const { start, end } of blocks.sort((a, b) => a.start - b.start)) {
    const last = open.at(-1);
    if (last !== undefined && start <= last.end) last.end = frames(Math.max(last.end, end));
    else open.push({ start, end });
  }
  return open;
}
