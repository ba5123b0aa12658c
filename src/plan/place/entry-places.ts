import { firstIndex } from '../../collections.ts';
import type { ClipLayerName, Fit } from '../../timeline/choices.ts';
import type { PercentBox } from '../../timeline/default-looks.ts';
import { BLOCK_BOX, type CanvasShape, SUBTITLE_BOX, TITLE_LOOKS } from '../../timeline/default-looks.ts';
import type {
  BlockEntry,
  CueHeight,
  ExportRequest,
  GivenBox,
  MotionEntry,
  PlacesByPreset,
  PresetPlace,
  SubtitleEntry,
  TitleEntry,
  VideoEntry,
} from '../../timeline/export-request.ts';
import { SUBTITLE_BASICS } from '../../timeline/timeline-fields.ts';
import { type CanvasSize, REFERENCE_SIDE, referenceScale, shapeOf } from '../model/canvas.ts';
import { type Zones, zonesOf } from './layouts.ts';

/** The place of an entry in one preset, with all defaults. */
interface EntryPlace {
  readonly box: PercentBox;
  readonly hidden: boolean;
  readonly fit?: Fit;
  readonly layer?: ClipLayerName;
  readonly motion?: MotionEntry;
  readonly size?: number;
}

/** Between the board and the layers above or below it. */
const GAP_PERCENT = 2;

/** The size of a title in a zone, as a share of its height: of two lines and a smaller one, and of a short one with a smaller one. */
const ZONED_TITLE = { two: 0.26, one: 0.38 };
/** How wide a letter of the text, one of the smaller text and the plate around them are at the most, in ems of the text. */
const ZONED_EM = { text: 0.6, subtext: 0.35, plate: 1.8 };
/** Letters of which a line is no taller than usual. */
const PLAIN_LETTERS = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]*$/u;
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
  /** Bottom edges of boards that leave room for subtitles, each while its subtitle is shown. */
  readonly #feet: readonly Foot[];
  /** Blocks without a place of their own. */
  readonly #blocks: readonly BlockEntry[];
  /** Subtitles over a board that makes no room for them. */
  readonly #overBoards: ReadonlySet<SubtitleEntry>;
  /** For entries that are side by side in landscape, and one above the other here. */
  readonly #stacked: ReadonlyMap<VideoEntry | BlockEntry, PercentBox>;
  /** The places of a layout, if the settings name one. (R42) */
  readonly #zones: Zones | null;
  /** All blocks, and the titles that a layout places. */
  readonly #allBlocks: readonly BlockEntry[];
  readonly #zonedTitles: readonly TitleEntry[];

  constructor(request: ExportRequest, preset: string, canvas: CanvasSize) {
    this.#preset = preset;
    this.#canvas = canvas;
    this.#shape = shapeOf(canvas);
    const { timeline, settings } = request;
    this.#allBlocks = request.hasTierList ? timeline.blocks : [];
    this.#zonedTitles = timeline.titles.filter((title) => title.kind !== 'card' && this.#isFree(title));
    const captions = timeline.subtitles.filter((subtitle) => subtitle.cue === null && this.#isFree(subtitle));
    const texts = {
      captions: captions.length > 0,
      labels: this.#zonedTitles.some(({ kind }) => kind === 'label'),
      lowerThirds: this.#zonedTitles.some(({ kind }) => kind === 'lower_third'),
    };
    this.#zones = settings.layout && zonesOf(settings.layout, this.#shape, texts);
    if (this.#zones !== null) {
      this.#feet = [];
      this.#stacked = new Map();
      this.#blocks = [];
      this.#overBoards = new Set();
      return;
    }
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
    if (this.#zones?.cam && !isGiven(box) && this.#allBlocks.some((block) => overlap(block, entry))) {
      // A camera fills its place.
      return { ...own, box: this.#zones.cam, fit: own.fit ?? 'cover' };
    }
    const stacked = this.#stacked.get(entry);
    return { ...own, box: stacked ?? (isGiven(box) ? { ...WHOLE_CANVAS, ...box } : null) };
  }

  /** A block without a place ends above the subtitles without a place, if it makes room for them. */
  block(entry: BlockEntry): EntryPlace {
    const { box, ...own } = this.#given(entry);
    const stacked = this.#stacked.get(entry);
    if (stacked !== undefined) return { ...own, box: stacked };
    const base = this.#zones?.board ?? BLOCK_BOX[this.#shape];
    if (isGiven(box)) return { ...own, box: { ...base, ...box } };
    if (this.#zones !== null) return { ...own, box: base };
    return { ...own, box: { ...base, height: this.#floorOf(entry) - base.y } };
  }

  title(entry: TitleEntry): EntryPlace {
    const { box, ...own } = this.#given(entry);
    if (this.#zones !== null && entry.kind !== 'card' && !isGiven(box)) {
      const zone = this.#zones[entry.kind];
      const largest = zonedSize(entry, zone, this.#canvas) / referenceScale(this.#canvas);
      return { ...own, box: zone, size: own.size ?? Math.min(entry.size ?? largest, largest) };
    }
    const base = titleBox(entry, this.#shape);
    const isFree = entry.kind === 'lower_third' && !isGiven(box);
    if (!isFree || !this.#blocks.some((block) => overlap(block, entry))) return { ...own, box: { ...base, ...box } };
    const board = BLOCK_BOX[this.#shape];
    const x = Math.max(base.x, BESIDE_LABELS);
    return { ...own, box: { ...base, x, width: Math.min(base.width, board.x + board.width - x) } };
  }

  subtitle(entry: SubtitleEntry): EntryPlace & { readonly size: number; readonly isOverBoard: boolean } {
    const { box: _, ...own } = this.#given(entry);
    const size = this.#sizeOf(entry);
    const ofFile = entry.cue === null ? {} : cueBox(entry.cue, size);
    const base = this.#captionsBeside(entry) ?? SUBTITLE_BOX[this.#shape];
    return {
      ...own,
      box: { ...base, ...entry.box, ...ofFile, ...entry.byPreset[this.#preset]?.box },
      size,
      isOverBoard: this.#overBoards.has(entry),
    };
  }

  /** Where a layout has captions: beside the titles of their time. */
  #captionsBeside(entry: SubtitleEntry): PercentBox | null {
    if (this.#zones === null) return null;
    const { captions, narrowCaptions } = this.#zones;
    return this.#zonedTitles.some((title) => overlap(title, entry)) ? narrowCaptions : captions;
  }

  /** Whether an entry is seen, without a place by hand. */
  #isFree(entry: { readonly box: GivenBox; readonly byPreset: PlacesByPreset }): boolean {
    const { box, hidden } = this.#given(entry);
    return !hidden && !isGiven(box);
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
    if (hidden || isGiven(box) || subtitle.cue !== null || subtitle.text.trim() === '') return null;
    const pxPercent = this.#canvas.height / 100;
    const scale = referenceScale(this.#canvas);
    const raised = (subtitle.raisedLines * SUBTITLE_LINE_EM * this.#sizeOf(subtitle) * scale) / pxPercent;
    return { subtitle, y: SUBTITLE_BOX[this.#shape].y - raised - GAP_PERCENT };
  }

  /** The entry's size for this preset, else its general size, else that of its style. */
  #sizeOf(subtitle: SubtitleEntry): number {
    const circumstances = { settings: {}, shape: this.#shape };
    return this.#given(subtitle).size ?? subtitle.size ?? SUBTITLE_BASICS.size.default(subtitle, circumstances);
  }

  #given({ box, byPreset }: { readonly box: GivenBox; readonly byPreset: PlacesByPreset }): PresetPlace {
    const own = byPreset[this.#preset];
    return own === undefined ? { box, hidden: false } : { ...own, box: { ...box, ...own.box } };
  }
}

const CUE_LINE_EM = 1.28;
const CUE_PLATE_EM = 0.5;

/** The box of a cue of a file. Its text is at the foot of its box, so the box is as tall as the text. */
/** The size of a title in its zone, in pixels: larger if both of its texts fit a line. (R42) */
function zonedSize({ text, subtext }: TitleEntry, zone: PercentBox, canvas: CanvasSize): number {
  const [width, height] = [(zone.width * canvas.width) / 100, (zone.height * canvas.height) / 100];
  const least = ZONED_TITLE.two * height;
  if (text.includes('\n') || subtext.includes('\n') || !PLAIN_LETTERS.test(text + subtext)) return least;
  const em = Math.max(text.length * ZONED_EM.text, subtext.length * ZONED_EM.subtext) + ZONED_EM.plate;
  return Math.max(least, Math.min(ZONED_TITLE.one * height, width / em));
}

function cueBox({ percent, edge, lines }: CueHeight, size: number): Pick<PercentBox, 'y' | 'height'> {
  const textPercent = ((lines * CUE_LINE_EM + CUE_PLATE_EM) * size) / (REFERENCE_SIDE / 100);
  const height = Math.min(100, textPercent);
  const top = percent - (edge === 'top' ? 0 : edge === 'center' ? height / 2 : height);
  return { y: Math.min(Math.max(0, top), 100 - height), height };
}

/** A title aligned to the right has its box at the right edge; in portrait the players' buttons are there. */
function titleBox({ kind, align }: TitleEntry, shape: CanvasShape): PercentBox {
  const box = TITLE_LOOKS[kind].box[shape];
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

/** Decides which entries may be moved, and how far down. */
interface StackingRules {
  /** Whether an entry has no place for this preset. */
  isFree(entry: VideoEntry | BlockEntry): boolean;
  /** Down to where a block may reach, in percent. */
  floor(block: BlockEntry): number;
}

/** The share of the height for the pictures above a board, and the share left to them over a subtitle. */
const ABOVE = 0.36;
const WIDEST = 16 / 9;
/** In a square a board may be beside a picture, unless that makes it a thin strip. */
const THIN_STRIP = 0.62;
/** Percents that meet may overlap a little. */
const TOUCHING = 2;

/**
 * Places for a board and the pictures-in-picture that are beside it in landscape, in a preset too narrow for that: the
 * pictures above, the board below. Percents that were set for a preset other than landscape are left alone. (C21)
 */
function stackedPlaces(
  { timeline, settings }: ExportRequest,
  canvas: CanvasSize,
  rules: StackingRules,
): ReadonlyMap<VideoEntry | BlockEntry, PercentBox> {
  const shape = shapeOf(canvas);
  const places = new Map<VideoEntry | BlockEntry, PercentBox>();
  if (shape === 'landscape' || shapeOf(settings) !== 'landscape') return places;
  const pictures = timeline.videos.filter((video) => isGiven(video.box) && rules.isFree(video));
  const blocks = timeline.blocks.filter((block) => {
    const { width, height } = landscapeBox(block);
    const thin = (width * canvas.width) / (height * canvas.height) < THIN_STRIP;
    return rules.isFree(block) && (shape === 'portrait' || thin) && besideOf(block, pictures).length > 0;
  });
  if (blocks.length === 0) return places;
  const { x, y, width } = BLOCK_BOX[shape];
  const floor = Math.min(...blocks.map((block) => rules.floor(block)));
  const max = Math.max(...blocks.map((block) => besideOf(block, pictures).length));
  const narrowest = (width - (max - 1) * GAP_PERCENT) / max;
  // No taller than a wide picture needs: the rest is for the board.
  const above = Math.min((floor - y) * ABOVE, (narrowest * canvas.width) / WIDEST / canvas.height);
  for (const block of blocks) {
    const top = y + above + GAP_PERCENT;
    places.set(block, { x, y: top, width, height: rules.floor(block) - top });
    const beside = besideOf(block, pictures);
    const share = (width - (beside.length - 1) * GAP_PERCENT) / beside.length;
    const widest = (above * canvas.height * WIDEST) / canvas.width;
    for (const [place, video] of beside.entries()) {
      if (places.has(video)) continue;
      const own = Math.min(share, widest);
      const left = x + place * (share + GAP_PERCENT) + (share - own) / 2;
      places.set(video, { x: left, y, width: own, height: above });
    }
  }
  return places;
}

/** The pictures that are seen with the block, from the left, each wholly to its left or right. */
function besideOf(block: BlockEntry, pictures: readonly VideoEntry[]): VideoEntry[] {
  const board = landscapeBox(block);
  return pictures
    .filter((video) => {
      const { x, width } = { x: 0, width: 100, ...video.box };
      const isBeside = x + TOUCHING >= board.x + board.width || x + width <= board.x + TOUCHING;
      return isBeside && overlap(video, block);
    })
    .sort((a, b) => (a.box.x ?? 0) - (b.box.x ?? 0));
}

function landscapeBox({ box }: BlockEntry): PercentBox {
  return { ...BLOCK_BOX.landscape, ...box };
}

/** Whether any field of the box is given. */
function isGiven(box: GivenBox): boolean {
  return Object.keys(box).length > 0;
}

interface Timed {
  readonly start: number;
  readonly duration: number | null;
}

/** Whether two entries overlap in time; the length of some depends on their media. */
function overlap(a: Timed, b: Timed): boolean {
  return a.start < endOf(b) && b.start < endOf(a);
}

function endOf({ start, duration }: Timed): number {
  return duration === null ? Number.POSITIVE_INFINITY : start + duration;
}
