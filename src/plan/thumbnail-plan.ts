import type { Issue } from '../errors.ts';
import type { Orientation, ThumbnailStyle } from '../timeline/choices.ts';
import type { ExportRequest, TierItem } from '../timeline/export-request.ts';
import { IssueList } from '../timeline/issue-list.ts';
import { shownText } from '../timeline/json/shown-value.ts';
import type { WantedThumbnail } from '../timeline/wanted-fields.ts';
import type { BoardItem } from './model/board-scene.ts';
import type { MediaFactsByField } from './model/media-facts.ts';
import type { PlanSource } from './model/render-plan.ts';
import type { Theme } from './model/theme.ts';
import { boardItem } from './place/place-board.ts';
import { MediaTable } from './place/plan-context.ts';
import { planTheme } from './place/plan-theme.ts';
import { warnOfTruncated } from './resolve-facts.ts';
import { type Arrangement, afterEvents } from './reveal/board-state.ts';
import { lookOf } from './theme/theme-looks.ts';

/** The sizes that platforms ask for. (R39) */
const SIZES: Readonly<Record<Orientation, { readonly width: number; readonly height: number }>> = {
  landscape: { width: 1280, height: 720 },
  portrait: { width: 720, height: 1280 },
};

/** "Under 2 MB", as platforms ask for: the next quality is tried where the picture is larger. (R39) */
export const THUMBNAIL_FILE = { maxBytes: 2_000_000, qualities: [92, 82, 70, 50] } as const;

/** Everything that decides the pixels of a thumbnail, and the uploads that it shows. (R39) */
export interface ThumbnailPlan {
  readonly style: ThumbnailStyle;
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
  /** Lines of at most four words; empty: no text. */
  readonly text: string;
  /** In the order in which they are shown. */
  readonly items: readonly ThumbnailItem[];
  readonly rows: readonly ThumbnailRow[];
  readonly sources: readonly PlanSource[];
  readonly warnings: readonly Issue[];
}

export interface ThumbnailItem extends BoardItem {
  /** Index into `rows`; null: it is in none. */
  readonly row: number | null;
  /** JSON Pointer of the item, for messages. */
  readonly path: string;
}

/** A row of the tier list, as the end of the video has it. */
interface ThumbnailRow {
  readonly label: string;
  readonly color: string;
  /** How many items it has. */
  readonly count: number;
}

/** How many items each style shows. A board shows all of them, hidden. */
const ITEM_COUNTS: Readonly<Record<ThumbnailStyle, { readonly min: number; readonly max: number }>> = {
  question: { min: 1, max: 3 },
  versus: { min: 2, max: 2 },
  podium: { min: 1, max: 3 },
  board: { min: 0, max: 0 },
};

/** @throws ExportError with everything that is wrong with the wanted items. */
export function planThumbnail(
  request: ExportRequest,
  wanted: WantedThumbnail,
  facts: MediaFactsByField,
): ThumbnailPlan {
  const { tierList, settings } = request;
  const { style } = wanted;
  const issues = new IssueList();
  const media = new MediaTable(facts);
  warnOfTruncated(request, facts, issues);
  const lanes = finalLanes(request);
  const shown = shownItems(request, wanted, lanes);
  const { rows: colors } = lookOf({ name: settings.theme.base }).palette;
  const items = shown.map((item): ThumbnailItem => {
    const lane = lanes.findIndex((each) => each.includes(item));
    const { path } = tierList.items[item]!;
    return {
      ...boardItem(tierList.items[item]!, { request, media, issues }),
      row: lane === tierList.rows.length ? null : lane,
      path,
    };
  });
  const theme = planTheme({ request, media }, true);
  const orientation = wanted.orientation ?? (settings.height > settings.width ? 'portrait' : 'landscape');
  return {
    style,
    ...SIZES[orientation],
    theme,
    text: inShortLines(wanted.text ?? defaultText(style, request)),
    items,
    rows: tierList.rows.map(({ label, color }, row) => {
      return { label, color: color ?? colors[row % colors.length]!, count: lanes[row]!.length };
    }),
    sources: media.sources,
    warnings: [...request.warnings, ...issues.warnings],
  };
}

/** The uploads that a thumbnail needs: the pictures of its items, and its font. @throws like `planThumbnail` */
export function thumbnailFields(request: ExportRequest, wanted: WantedThumbnail): string[] {
  const { font } = request.settings.theme;
  const pictures = shownItems(request, wanted, finalLanes(request)).map((item) => request.tierList.items[item]!.media);
  const media = [...pictures, typeof font === 'string' ? null : font].filter((each) => each !== null);
  return [...new Set(media.map(({ field }) => field))];
}

/** @throws ExportError with everything that is wrong with the wanted items. */
function shownItems(request: ExportRequest, wanted: WantedThumbnail, lanes: Arrangement): number[] {
  const { style, items: ids } = wanted;
  const issues = new IssueList();
  const chosen = ids === null ? defaultItems(style, request, lanes) : [...new Set(ids)];
  const isRight = checkCount(chosen.length, wanted, issues);
  if (request.tierList.rows.length === 0 && style === 'board') {
    issues.error('/style', 'thumbnail.items', 'The tier list has no rows: there is no board to show.');
  }
  // Thousands of names are not looked for.
  const shown = chosen.slice(0, isRight ? chosen.length : 0).map((item) => {
    return typeof item === 'number' ? item : wantedItem(item, request, issues);
  });
  issues.throwIfFailed(request.warnings);
  return shown;
}

/** The items of every row and of the pool at the end of the video. (C44) */
function finalLanes({ tierList, timeline }: ExportRequest): Arrangement {
  const rows = tierList.rows.map(({ items }) => items);
  const placed = new Set(rows.flat());
  const pool = [...tierList.items.keys()].filter((item) => !placed.has(item));
  const moves = timeline.tiles
    .filter(({ move }) => move !== null)
    .toSorted((a, b) => a.position - b.position)
    .map(({ item, move }) => ({ item, to: move }));
  return afterEvents([...rows, pool], moves);
}

function wantedItem(id: string, { tierList }: ExportRequest, issues: IssueList): number {
  const item = tierList.items.findIndex((each) => each.id === id);
  if (item >= 0) return item;
  const names = tierList.items.map((each) => each.id);
  const hint = issues.hintOrNames(id, names);
  issues.error('/items', 'item.unknown', `No item of tier_list.items has the id ${shownText(id)}.${hint}`);
  return -1;
}

function checkCount(count: number, { style, items }: WantedThumbnail, issues: IssueList): boolean {
  const { min, max } = ITEM_COUNTS[style];
  if (count >= min && count <= max) return true;
  const range = max === 0 ? 'no items of its own' : min === max ? `${min} items` : `${min} to ${max} items`;
  const given = items === null ? `the tier list has ${count}` : `${count} are given`;
  issues.error(items === null ? '/style' : '/items', 'thumbnail.items', `The style ${style} shows ${range}; ${given}.`);
  return false;
}

/** Which items a style shows if the request names none. Items with pictures come first where the style may choose. */
function defaultItems(style: ThumbnailStyle, { tierList: { items } }: ExportRequest, lanes: Arrangement): number[] {
  const ranked = lanes.flat();
  const pictured = ranked.filter((item) => hasPicture(items[item]!));
  const pick: Readonly<Record<ThumbnailStyle, () => number[]>> = {
    // The best, the worst and one between them, in the order of the list, which says nothing about their rows.
    question: () => {
      const from = pictured.length >= 3 ? pictured : ranked;
      const spread = [from[0], from[from.length >> 1], from.at(-1)].filter((item) => item !== undefined);
      return [...new Set(spread)].sort((a, b) => a - b);
    },
    versus: () => (pictured.length >= 2 ? pictured : ranked).slice(0, 2),
    podium: () => ranked.slice(0, 3),
    board: () => [],
  };
  return pick[style]();
}

function hasPicture({ media }: TierItem): boolean {
  return media !== null;
}

/** The labels of the first and the last row for a question, else what the title says first. */
function defaultText(style: ThumbnailStyle, { tierList: { title, rows } }: ExportRequest): string {
  if (style === 'question' && rows.length >= 2) return `${rows[0]!.label} or ${rows.at(-1)!.label}?`;
  return shortTitle(title);
}

/** A title goes on after these; a picture does not. */
const AFTERTHOUGHT = /[:|(\u2013\u2014]| - /u;
const MAX_WORDS = 8;
const WORDS_A_LINE = 4;

function shortTitle(title: string): string {
  const line = wordsOf(title).join(' ');
  const at = line.search(AFTERTHOUGHT);
  const words = wordsOf((at < 0 ? '' : line.slice(0, at)).trim() || line);
  return words.length <= MAX_WORDS ? words.join(' ') : `${words.slice(0, MAX_WORDS).join(' ')}…`;
}

/** The lines of a text, each of at most four words; longer ones are split evenly. */
function inShortLines(text: string): string {
  const lines = text.split(/\r\n?|\n/).map(wordsOf);
  const short = lines.flatMap((words) => {
    const count = Math.ceil(words.length / WORDS_A_LINE);
    return Array.from({ length: count }, (_, line) => {
      const at = (part: number) => Math.ceil((part * words.length) / count);
      return words.slice(at(line), at(line + 1)).join(' ');
    });
  });
  return short.filter((line) => line !== '').join('\n');
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/u).filter((word) => word !== '');
}
