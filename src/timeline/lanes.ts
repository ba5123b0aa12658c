import type { FIELDS, FieldOwner, Values } from './fields.ts';

/** The common traits of a lane's entries. */
interface LaneTraits {
  /** The schema that its entries are checked with. */
  readonly schema: FieldOwner;
  /** The word for one entry. */
  readonly word: string;
  /**
   * `span`: entries have a start and a duration, make the video longer, can be trimmed and split. `moment`: they have a
   * position and no length. `file`: their file has the times.
   */
  readonly time: 'span' | 'moment' | 'file';
  /** Each entry needs a file. */
  readonly ofFile: boolean;
  /** Entries play a source from an in-point, and have a volume and fades. */
  readonly hasSound: boolean;
  /** Entries have a box on the canvas; later ones lie in front of earlier ones. */
  readonly hasBox: boolean;
}

/** The lanes of a timeline, with their traits for the parser, readers of project files and the studio. */
export const LANES = {
  videos: { schema: 'video', word: 'video', time: 'span', ofFile: true, hasSound: true, hasBox: true },
  audios: { schema: 'audio', word: 'audio', time: 'span', ofFile: true, hasSound: true, hasBox: false },
  soundtracks: { schema: 'soundtrack', word: 'soundtrack', time: 'span', ofFile: true, hasSound: true, hasBox: false },
  tier_blocks: { schema: 'block', word: 'tier block', time: 'span', ofFile: false, hasSound: false, hasBox: true },
  tier_tiles: { schema: 'tile', word: 'tier tile', time: 'moment', ofFile: false, hasSound: false, hasBox: false },
  titles: { schema: 'titleEntry', word: 'title', time: 'span', ofFile: false, hasSound: false, hasBox: true },
  subtitles: { schema: 'subtitle', word: 'subtitle', time: 'span', ofFile: false, hasSound: false, hasBox: true },
  subtitle_files: {
    ...{ schema: 'subtitleFile', word: 'subtitle file', time: 'file', ofFile: true, hasSound: false, hasBox: false },
  },
} as const satisfies Readonly<Record<string, LaneTraits>>;

export type LaneName = keyof typeof LANES;

export const LANE_NAMES = Object.keys(LANES) as readonly LaneName[];

/** An entry of a lane as it is sent. */
export type LaneEntry<L extends LaneName> = Values<(typeof FIELDS)[(typeof LANES)[L]['schema']]>;

/** Lanes whose entries have a start and a duration. */
type SpanLane = { [L in LaneName]: (typeof LANES)[L]['time'] extends 'span' ? L : never }[LaneName];

export const SPAN_LANES = lanesWhere(({ time }) => time === 'span') as readonly SpanLane[];

/** Lanes whose entries all have a trait. */
export function lanesWhere(has: (traits: LaneTraits) => boolean): readonly LaneName[] {
  return LANE_NAMES.filter((name) => has(LANES[name]));
}
