import { type Frames, frameAt, frameRange, type Range } from '../../time.ts';
import type { BlockEntry, TierItem } from '../../timeline/export-request.ts';
import type { BoardEvent, BoardItem, BoardScene, CardLook } from '../model/board-scene.ts';
import { canvasRect, intersect, type Rect } from '../model/canvas.ts';
import type { MediaFacts } from '../model/media-facts.ts';
import type { BoardWindow } from '../model/painted-layers.ts';
import { type Arrangement, afterEvents, arrangementAfter, inRows, isReveal, restAfter } from '../reveal/board-state.ts';
import { lookOf } from '../theme/theme-looks.ts';
import { type DefaultEnterExit, placeEnterExit } from './place-envelope.ts';
import type { PlacedTile } from './place-tiles.ts';
import type { PlanContext } from './plan-context.ts';

/** Places the windows onto the board; leaves out one outside the canvas, with a warning. */
export function placeWindows(
  { request, places, canvas, rate, issues }: PlanContext,
  totalFrames: Frames,
): BoardWindow[] {
  const whole = { x: 0, y: 0, width: canvas.width, height: canvas.height };
  if (!request.hasTierList) return [];
  const placed: PlacedBlock[] = [];
  for (const block of request.timeline.blocks) {
    const { path, start, duration } = block;
    const { box, hidden } = places.block(block);
    if (hidden) continue;
    const rect = canvasRect(box, canvas);
    if (intersect(rect, whole) === null) {
      issues.warn(path, 'block.off_canvas', 'The board window lies outside the canvas; it is never visible.');
      continue;
    }
    placed.push({ block, rect, shows: frameRange(start, start + duration, rate) });
  }
  const touching = touchingEdges(placed);
  return placed.map(({ block, rect, shows }) => {
    const { path, id, start, duration, enterExit } = block;
    const defaults: DefaultEnterExit = {
      enter: shows.start === 0 || touching.ends.has(edgeKey(shows.start, rect)) ? 'none' : 'fade',
      exit: shows.end >= totalFrames || touching.starts.has(edgeKey(shows.end, rect)) ? 'none' : 'fade',
    };
    const passing = placeEnterExit(enterExit, { time: { start, end: start + duration }, shows, rate }, defaults);
    return { id, path, shows, rect, ...passing };
  });
}

interface PlacedBlock {
  readonly block: BlockEntry;
  readonly rect: Rect;
  readonly shows: Range<Frames>;
}

/** A window that replaces another in the same place must not flicker: there, only requested fades apply. */
function touchingEdges(placed: readonly PlacedBlock[]): { starts: Set<string>; ends: Set<string> } {
  return {
    starts: new Set(placed.map(({ rect, shows }) => edgeKey(shows.start, rect))),
    ends: new Set(placed.map(({ rect, shows }) => edgeKey(shows.end, rect))),
  };
}

function edgeKey(at: Frames, { x, y, width, height }: Rect): string {
  return `${at} ${x} ${y} ${width} ${height}`;
}

/** The tier list as the windows show it, or null if there is no window. */
export function placeBoard(
  windows: readonly BoardWindow[],
  tiles: readonly PlacedTile[],
  context: PlanContext,
): BoardScene | null {
  if (windows.length === 0) return null;
  warnNeverSeen(tiles, windows, context);
  const { request } = context;
  const { title, rows, items } = request.tierList;
  const inRow = new Set(rows.flatMap((row) => row.items));
  const card = cardLook(context);
  const { counter, pool: poolShown, hiddenUntilRevealed, theme } = request.settings;
  const { rows: colors } = lookOf({ name: theme.base }).palette;
  const places = {
    rows: rows.map(({ label, color, items: placed }, row) => {
      return { label, color: color ?? colors[row % colors.length]!, items: placed };
    }),
    pool: poolShown === 'never' ? [] : [...items.keys()].filter((item) => !inRow.has(item)),
    events: tiles.map(({ event }) => event),
  };
  const board = {
    title,
    card,
    ...(hiddenUntilRevealed || poolShown === 'never' ? places : withWaitingItems(places)),
    items: boardItems(context),
    rate: context.rate,
    layout: request.settings.board.layout,
    poolShown,
  };
  return { ...board, counter: counter ? inRows(restAfter(board, board.events.length), []) : null };
}

/** Where items are, and their events. */
type Places = Pick<BoardScene, 'rows' | 'pool' | 'events'>;

/**
 * The same board with items that wait in the pool until their reveal, which takes them to their place. Earlier moves of
 * them are invisible, and are left out. (C65)
 */
function withWaitingItems({ rows, pool, events }: Places): Places {
  const waiting = new Set(events.filter(isReveal).map(({ item }) => item));
  const stays = (item: number) => !waiting.has(item);
  const before = {
    rows: rows.map((row) => ({ ...row, items: row.items.filter(stays) })),
    pool: [...pool, ...rows.flatMap(({ items }) => items.filter((item) => waiting.has(item)))].sort((a, b) => a - b),
  };
  let lanes = arrangementAfter({ rows, pool }, []);
  const seen: BoardEvent[] = [];
  for (const event of events) {
    lanes = afterEvents(lanes, [event]);
    if (isReveal(event)) waiting.delete(event.item);
    if (stays(event.item)) seen.push({ ...event, to: placeAmong(lanes, event.item, stays) });
  }
  return { ...before, events: seen };
}

/** The lane of an item, and its place among those that do not wait. */
function placeAmong(lanes: Arrangement, item: number, stays: (item: number) => boolean): NonNullable<BoardEvent['to']> {
  const row = lanes.findIndex((items) => items.includes(item));
  return { row, index: lanes[row]!.filter(stays).indexOf(item) };
}

/** Items with their pictures. */
function boardItems(context: PlanContext): BoardItem[] {
  return context.request.tierList.items.map((item) => boardItem(item, context));
}

/** An item with its picture; one without a usable picture becomes a card with its name. (R12) */
export function boardItem(
  item: TierItem,
  { request, media, issues }: Pick<PlanContext, 'request' | 'media' | 'issues'>,
): BoardItem {
  const { name, score, note, media: image } = item;
  const plain = { name, score, note, image: null, fit: 'cover' } as const;
  if (image === null) return plain;
  const facts = media.facts(image);
  const { kind } = facts;
  if (isPicture(facts)) {
    const fit = item.fit ?? request.settings.card.fit ?? 'auto';
    return { ...plain, image: media.use(image), fit, ...(item.view !== null && { view: item.view }) };
  }
  const found =
    { unreadable: 'cannot be read as', audio: 'is a sound, not', font: 'is a font, not' }[kind as string] ??
    'is a video, not';
  issues.warn(image.path, 'item.no_image', `The file ${found} an image; the item is shown as a card with its name.`);
  return plain;
}

/** Warns about tiles after the end of the last window. */
function warnNeverSeen(
  tiles: readonly PlacedTile[],
  windows: readonly BoardWindow[],
  { rate, issues }: PlanContext,
): void {
  const lastSeen = windows.reduce((latest, { shows }) => Math.max(latest, shows.end), 0);
  for (const { path, position, move } of tiles.map(({ tile }) => tile)) {
    if (frameAt(position, rate) < lastSeen) continue;
    const what = move === null ? 'reveal' : 'move';
    const message = `No tier block is open at ${position} s or later; this ${what} is never visible.`;
    issues.warn(path, 'tile.never_seen', message);
  }
}

/** The common look of all cards: `auto` is a square for pictures. (R43, C46) */
function cardLook({ request, media }: PlanContext): CardLook {
  const { shape, names } = request.settings.card;
  const hasPictures = request.tierList.items.some(
    ({ media: image }) => image !== null && isPicture(media.facts(image)),
  );
  // Cards without pictures need no names below them.
  if (!hasPictures) return { shape: shape === 'auto' ? 'text' : shape, names: 'never' };
  return { shape: shape === 'auto' ? 'square' : shape, names };
}

/** Whether a file can be seen on a card. */
function isPicture({ kind }: Pick<MediaFacts, 'kind'>): boolean {
  return kind === 'still' || kind === 'animation' || kind === 'drawing';
}
