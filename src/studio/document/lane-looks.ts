import type { MediaFacts } from '../../plan/model/media-facts.ts';
import type { LaneName } from '../../timeline/lanes.ts';
import * as texts from '../texts/en/document.ts';

export type DrawnAs = 'board' | 'reveal' | 'clip' | 'text' | 'sound';
type LaneIcon = 'board' | 'reveal' | 'film' | 'text' | 'wave' | 'music';

/** What the studio knows of a lane, in addition to the shared lane table. */
interface LaneLooks {
  /** The name of an entry, in a sentence (`Remove clip`) and as the heading of the inspector. */
  readonly label: string;
  readonly title: string;
  /** The heading of its line. */
  readonly head: string;
  /** Its line in the timeline; null if it has none. */
  readonly line: {
    readonly icon: LaneIcon;
    readonly heightPx: number;
    /** Whether the line is shown even if it is empty, as a drop target. */
    readonly always: boolean;
    readonly drawnAs: DrawnAs;
    readonly fill: 'raise' | 'board' | 'sound' | 'music';
  } | null;
  /** Files that become entries: `self` on import, at the end of the lane; `over` only if dropped on the lane. */
  readonly takes: { readonly [kind in MediaFacts['kind']]?: 'self' | 'over' };
  /** What "Add" inserts at the playhead; null if nothing. `alone`: entries must not overlap. */
  readonly adds: {
    readonly words: string;
    readonly icon: LaneIcon;
    readonly key?: string;
    readonly seconds: number;
    readonly text?: string;
    readonly alone?: boolean;
  } | null;
}

/** All lanes, in the order of their lines from top to bottom. The type makes every field mandatory. */
export const LANE_LOOKS: Readonly<Record<LaneName, LaneLooks>> = {
  tier_blocks: {
    ...texts.lanes.tier_blocks,
    line: { icon: 'board', heightPx: 36, always: true, drawnAs: 'board', fill: 'board' },
    takes: {},
    adds: { words: texts.addBoard, icon: 'board', seconds: 5, alone: true },
  },
  tier_tiles: {
    ...texts.lanes.tier_tiles,
    line: { icon: 'reveal', heightPx: 56, always: true, drawnAs: 'reveal', fill: 'raise' },
    takes: {},
    adds: null,
  },
  videos: {
    ...texts.lanes.videos,
    line: { icon: 'film', heightPx: 44, always: true, drawnAs: 'clip', fill: 'raise' },
    takes: { video: 'self', still: 'over', animation: 'over' },
    adds: null,
  },
  titles: {
    ...texts.lanes.titles,
    line: { icon: 'text', heightPx: 36, always: false, drawnAs: 'text', fill: 'raise' },
    takes: {},
    adds: { words: texts.addTitle, icon: 'text', seconds: 3, text: texts.yourTitle },
  },
  subtitles: {
    ...texts.lanes.subtitles,
    line: { icon: 'text', heightPx: 36, always: false, drawnAs: 'text', fill: 'raise' },
    takes: {},
    adds: { words: texts.addSubtitle, icon: 'text', key: 'T', seconds: 3, text: texts.yourWords },
  },
  subtitle_files: { ...texts.lanes.subtitle_files, line: null, takes: {}, adds: null },
  audios: {
    ...texts.lanes.audios,
    line: { icon: 'wave', heightPx: 36, always: false, drawnAs: 'sound', fill: 'sound' },
    takes: { video: 'over', audio: 'over' },
    adds: null,
  },
  soundtracks: {
    ...texts.lanes.soundtracks,
    line: { icon: 'music', heightPx: 36, always: false, drawnAs: 'sound', fill: 'music' },
    takes: { video: 'over', audio: 'self' },
    adds: null,
  },
};

const IN_ORDER = Object.keys(LANE_LOOKS) as readonly LaneName[];

/** Lanes with a line in the timeline, from top to bottom. Moving, snapping and removing apply to these. */
export const DRAWN_LANES: readonly LaneName[] = IN_ORDER.filter((lane) => LANE_LOOKS[lane].line !== null);

/** What can be added at the playhead, in menu order. */
export const ADDED_LANES = IN_ORDER.toReversed().flatMap((lane) => {
  const { adds } = LANE_LOOKS[lane];
  return adds === null ? [] : [{ lane, ...adds }];
});

/** The lane for a file dropped over a lane or beside all lanes; null if no lane takes it. */
export function laneFor(kind: MediaFacts['kind'], over: LaneName | null): LaneName | null {
  if (over !== null && kind in LANE_LOOKS[over].takes) return over;
  return IN_ORDER.find((lane) => LANE_LOOKS[lane].takes[kind] === 'self') ?? null;
}

/** Whether entries show pictures, which are mostly dark in every colour scheme. */
export function isFilmLane(lane: LaneName): boolean {
  return LANE_LOOKS[lane].line?.drawnAs === 'clip';
}
