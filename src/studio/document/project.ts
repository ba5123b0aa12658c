import type { MediaFacts } from '../../plan/media-facts.ts';
import type { SoundRole } from '../../timeline/export-request.ts';
import { LANE_NAMES, type LaneEntry, type LaneName } from '../../timeline/lanes.ts';
import type { RawItem, RawRow, RawSettings } from '../../timeline/schema.ts';
import * as texts from '../texts/en/document.ts';
import { USUAL_ROWS } from './board/row-presets.ts';

/**
 * What is edited: the very file the command line renders (`tiercut render project.json`), and under `studio` what only the
 * page needs. Immutable: every change is a command through `session.ts`, so that each can be undone.
 */
export interface Project {
  readonly tier_list: TierList;
  readonly timeline_data: TimelineData;
  readonly settings: RawSettings;
  /** Where each `file_field`'s file lies, relative to the project file. */
  readonly media: Readonly<Record<string, string>>;
  readonly studio: StudioPart;
}

interface TierList {
  readonly title?: string;
  readonly rows: readonly RawRow[];
  readonly items: readonly RawItem[];
}

/** The lanes, each there. In the studio every entry has an `id`: see `with-ids.ts`. */
export type TimelineData = { readonly [L in LaneName]: readonly EntryOf<L>[] };

export type EntryOf<L extends LaneName> = WithId<LaneEntry<L>>;
type WithId<T> = Omit<T, 'id'> & { readonly id: string };

/** What only the page needs; other programs ignore it. */
interface StudioPart {
  /** What is known of each `file_field`'s file. */
  readonly media: Readonly<Record<string, MediaEntry>>;
  /** What is known beforehand of files that are still being made; each goes when its file comes. Their hashes are none. */
  readonly coming?: Readonly<Record<string, MediaEntry>>;
  /** The edition of the defaults that its person knows: `LOOKS`, or less where it was saved by an earlier version. */
  readonly looks?: number;
  /** Lanes that are muted, solo or locked. */
  readonly lanes?: LaneSwitches;
}

/** What can be switched on for a lane, or for the sounds of one role. */
export type LaneSwitch = 'muted' | 'solo' | 'locked';
export type LaneSwitches = Readonly<Record<string, { readonly [S in LaneSwitch]?: true }>>;

/** Goes up when defaults change how videos of saved projects look; `frame/looks-notice.tsx` then says what is different. */
export const LOOKS = 2;

/** Whether a project opens with other looks than it was left with. */
export function hasOtherLooks({ studio, tier_list, media }: Project): boolean {
  const isEmpty = tier_list.items.length === 0 && Object.keys(media).length === 0;
  return !isEmpty && (studio.looks ?? 1) < LOOKS;
}

/** What is known of a field's file, be it here or still to come. */
export function mediaOf({ studio }: Project, field: string): MediaEntry | undefined {
  return studio.media[field] ?? studio.coming?.[field];
}

/** A file the project has, by its content; the bytes lie in `media/media-store.ts`. */
export interface MediaEntry extends MediaFacts {
  /** As the file was called. */
  readonly name: string;
  readonly bytes: number;
  /** MIME type, as the browser told it; may be empty. */
  readonly type: string;
  /** Whether it was recorded here, in a take. */
  readonly recorded?: true;
  /** What a sound was taken for when it came in. */
  readonly role?: SoundRole;
}

/** No items yet, and the usual rows to rank into. */
export const EMPTY_PROJECT: Project = {
  tier_list: {
    title: texts.newProject,
    rows: USUAL_ROWS.map(({ label, color }) => ({ id: label.toLowerCase(), label, color, item_ids: [] })),
    items: [],
  },
  timeline_data: Object.fromEntries(LANE_NAMES.map((lane) => [lane, []])) as unknown as TimelineData,
  settings: { preset: 'landscape', fps: 30, reveal: 'spotlight', loudness: -14 },
  media: {},
  studio: { media: {}, looks: LOOKS },
};
