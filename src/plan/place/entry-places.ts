import { firstIndex } from '../../collections/first-index.ts';
import type { ClipLayerName, Fit, TitleKind } from '../../timeline/choices.ts';
import type { BlockEntry } from '../../timeline/request/board-entries.ts';
import type { VideoEntry } from '../../timeline/request/clip-entries.ts';
import type { ExportRequest } from '../../timeline/request/export-request.ts';
import type { GivenBox, MotionEntry, PercentBox, PlacesByPreset, PresetPlace } from '../../timeline/request/places.ts';
import type { SubtitleEntry, TitleEntry } from '../../timeline/request/text-entries.ts';
import {
  BLOCK_BOX,
  type CanvasShape,
  type CanvasSize,
  GAP_PERCENT,
  isGiven,
  overlap,
  referenceScale,
  shapeOf,
} from './canvas-shape.ts';
import { stackedPlaces } from './stacked-places.ts';
import { captionSize } from './text/caption-styles.ts';

/** The place of an entry in one preset, with all defaults. */
interface EntryPlace {
  readonly box: PercentBox;
  readonly hidden: boolean;
  readonly fit?: Fit;
  readonly layer?: ClipLayerName;
  readonly motion?: MotionEntry;
  readonly size?: number;
}

const SUBTITLE_BOX: Readonly<Record<CanvasShape, PercentBox>> = {
  landscape: { x: 10, y: 78, width: 80, height: 16 },
  square: { x: 10, y: 78, width: 80, height: 16 },
  portrait: { x: 6, y: 62, width: 80, height: 16 },
};
/** Above the subtitles, and in portrait outside the area that players of short videos cover. (C60) */
const TITLE_BOX: Readonly<Record<TitleKind, Readonly<Record<CanvasShape, PercentBox>>>> = {
  label: {
    landscape: { x: 5, y: 5, width: 60, height: 14 },
    square: { x: 5, y: 5, width: 80, height: 14 },
    portrait: { x: 6, y: 9, width: 82, height: 12 },
  },
  lower_third: {
    landscape: { x: 5, y: 56, width: 60, height: 20 },
    square: { x: 5, y: 56, width: 80, height: 20 },
    portrait: { x: 6, y: 46, width: 82, height: 15 },
  },
  card: {
    landscape: { x: 10, y: 12, width: 80, height: 76 },
    square: { x: 8, y: 12, width: 84, height: 76 },
    portrait: { x: 8, y: 10, width: 80, height: 68 },
  },
};
/** A lower third over a board begins here, to the right of the labels of its rows. (C60) */
const BESIDE_LABELS = 30;
const WHOLE_CANVAS: PercentBox = { x: 0, y: 0, width: 100, height: 100 };

/** A board makes room for subtitles that are shown for more than this share of its time. (C21) */
const ROOM_SHARE = 1 / 3;
/** The least height, in percent, of a board that makes room for subtitles. */
const MIN_HEIGHT = 24;

/** From one text to the one above it, with room for the plates of both. (C23) */
export const SUBTITLE_LINE_EM = 1.8;

/**
 * The place of every entry in one preset: the entry's fields for that preset (C42), else its general fields, else the
 * defaults, which never collide (C21).
 */
export class EntryPlaces {
  readonly #preset: string;
  readonly #canvas: CanvasSize;
  readonly #shape: CanvasShape;
  /** The feet of boards that make room for a subtitle, each for as long as that is shown. */
  readonly #feet: readonly Foot[];
  /** Blocks without a place of their own. */
  readonly #blocks: readonly BlockEntry[];
  /** Subtitles over a board that makes no room for them. */
  readonly #overBoards: ReadonlySet<SubtitleEntry>;
  /** For entries that are side by side in landscape, and one above the other here. */
  readonly #stacked: ReadonlyMap<VideoEntry | BlockEntry, PercentBox>;

  constructor(request: ExportRequest, preset: string, canvas: CanvasSize) {
    this.#preset = preset;
    this.#canvas = canvas;
    this.#shape = shapeOf(canvas);
    this.#feet = inTime(request.timeline.subtitles.flatMap((subtitle) => this.#footAbove(subtitle) ?? []));
    this.#stacked = stackedPlaces(request, canvas, {
      isFree: (entry) => entry.byPreset[preset] === undefined,
      floor: (block) => this.#floorOf(block),
    });
    this.#blocks = request.hasTierList ? request.timeline.blocks.filter((block) => this.#isDefault(block)) : [];
    this.#overBoards = new Set(
      this.#blocks
        .flatMap((block) => (this.#makesRoom(block) ? [] : this.#shownWith(block)))
        .map(({ subtitle }) => subtitle),
    );
  }

  /** The box that the documents give a clip in this preset, before boards and clips are stacked. */
  givenVideoBox(entry: VideoEntry): PercentBox {
    return { ...WHOLE_CANVAS, ...this.#given(entry).box };
  }

  /** null: it has no box, so it has the whole canvas. */
  video(entry: VideoEntry): Omit<EntryPlace, 'box'> & { readonly box: PercentBox | null } {
    const { box, ...own } = this.#given(entry);
    const stacked = this.#stacked.get(entry);
    return { ...own, box: stacked ?? (isGiven(box) ? { ...WHOLE_CANVAS, ...box } : null) };
  }

  /** A block without a place ends above the subtitles without a place, if it makes room for them. */
  block(entry: BlockEntry): EntryPlace {
    const { box, ...own } = this.#given(entry);
    const stacked = this.#stacked.get(entry);
    if (stacked !== undefined) return { ...own, box: stacked };
    const base = BLOCK_BOX[this.#shape];
    if (isGiven(box)) return { ...own, box: { ...base, ...box } };
    return { ...own, box: { ...base, height: this.#floorOf(entry) - base.y } };
  }

  title(entry: TitleEntry): EntryPlace {
    const { box, ...own } = this.#given(entry);
    const base = titleBox(entry, this.#shape);
    const isFree = entry.kind === 'lower_third' && !isGiven(box);
    if (!isFree || !this.#blocks.some((block) => overlap(block, entry))) return { ...own, box: { ...base, ...box } };
    const board = BLOCK_BOX[this.#shape];
    const x = Math.max(base.x, BESIDE_LABELS);
    return { ...own, box: { ...base, x, width: Math.min(base.width, board.x + board.width - x) } };
  }

  subtitle(entry: SubtitleEntry): EntryPlace & { readonly size: number; readonly isOverBoard: boolean } {
    const { box, ...own } = this.#given(entry);
    return {
      ...own,
      box: { ...SUBTITLE_BOX[this.#shape], ...box },
      size: this.#sizeOf(entry),
      isOverBoard: this.#overBoards.has(entry),
    };
  }

  /** Whether a block has no place of its own. */
  #isDefault(block: BlockEntry): boolean {
    const { box, hidden } = this.#given(block);
    return !hidden && (!isGiven(box) || this.#stacked.has(block));
  }

  /** The lowest foot of a block: its default's, or above the subtitles it makes room for. */
  #floorOf(block: BlockEntry): number {
    const base = BLOCK_BOX[this.#shape];
    const feet = this.#makesRoom(block) ? this.#shownWith(block).map(({ y }) => y) : [];
    return Math.max(base.y + MIN_HEIGHT, Math.min(base.y + base.height, ...feet));
  }

  /**
   * Whether subtitles without their own place are shown for so much of the block's time that it ends above them. (C21)
   */
  #makesRoom(block: BlockEntry): boolean {
    let [seconds, until] = [0, block.start];
    for (const { subtitle } of this.#shownWith(block)) {
      const end = Math.min(subtitle.start + subtitle.duration, block.start + block.duration);
      seconds += Math.max(0, end - Math.max(until, subtitle.start));
      until = Math.max(until, end);
    }
    return seconds > block.duration * ROOM_SHARE;
  }

  /** The subtitles without their own place that are shown with a block, by their start. */
  #shownWith(block: BlockEntry): Foot[] {
    const shown: Foot[] = [];
    // Backwards from the last one that begins before the block ends, until all earlier ones are over: there may be
    // thousands of both.
    for (let i = countBefore(this.#feet, block.start + block.duration) - 1; i >= 0; i -= 1) {
      const foot = this.#feet[i]!;
      if (foot.endOfAll <= block.start) break;
      if (overlap(block, foot.subtitle)) shown.push(foot);
    }
    return shown.reverse();
  }

  /** Where a block ends that makes room for a subtitle; null if the subtitle is not visible or has its own place. */
  #footAbove(subtitle: SubtitleEntry): Pick<Foot, 'subtitle' | 'y'> | null {
    const { box, hidden } = this.#given(subtitle);
    if (hidden || isGiven(box) || subtitle.text.trim() === '') return null;
    const pxPercent = this.#canvas.height / 100;
    const scale = referenceScale(this.#canvas);
    const raised = (subtitle.raisedLines * SUBTITLE_LINE_EM * this.#sizeOf(subtitle) * scale) / pxPercent;
    return { subtitle, y: SUBTITLE_BOX[this.#shape].y - raised - GAP_PERCENT };
  }

  /** The entry's size for this preset, else its general size, else that of its style. */
  #sizeOf(subtitle: SubtitleEntry): number {
    return this.#given(subtitle).size ?? subtitle.size ?? captionSize(subtitle.style, this.#shape);
  }

  #given({ box, byPreset }: { readonly box: GivenBox; readonly byPreset: PlacesByPreset }): PresetPlace {
    const own = byPreset[this.#preset];
    return own === undefined ? { box, hidden: false } : { ...own, box: { ...box, ...own.box } };
  }
}

/** A title aligned to the right has its box at the right edge; in portrait the players' buttons are there. */
function titleBox({ kind, align }: TitleEntry, shape: CanvasShape): PercentBox {
  const box = TITLE_BOX[kind][shape];
  if (shape === 'portrait' || align === null || align === 'left') return box;
  const free = 100 - box.width;
  return { ...box, x: align === 'right' ? free - box.x : free / 2 };
}

/** In percent from the top, and the subtitle it makes room for. */
interface Foot {
  readonly subtitle: SubtitleEntry;
  readonly y: number;
  /** When this one and all before it are over. */
  readonly endOfAll: number;
}

/** By their beginning. */
function inTime(feet: readonly Pick<Foot, 'subtitle' | 'y'>[]): Foot[] {
  let endOfAll = Number.NEGATIVE_INFINITY;
  return feet
    .toSorted((a, b) => a.subtitle.start - b.subtitle.start)
    .map((foot) => {
      endOfAll = Math.max(endOfAll, foot.subtitle.start + foot.subtitle.duration);
      return { ...foot, endOfAll };
    });
}

/** How many begin before a time. */
function countBefore(feet: readonly Foot[], seconds: number): number {
  return firstIndex(feet.length, (index) => feet[index]!.subtitle.start >= seconds);
}
