import type { MediaFacts } from '../../plan/model/media-facts.ts';
import type { RunningTake } from '../../plan/running-take.ts';
import type { SoundRole } from '../../timeline/choices.ts';
import type { RawAuto, RawItem, RawRow, RawSettings } from '../../timeline/document-schemas.ts';
import { freeId } from '../../timeline/free-id.ts';
import { LANE_NAMES, type LaneEntry, type LaneName } from '../../timeline/lanes.ts';
import type { TemplateField } from '../../timeline/project/template-fields.ts';
import * as texts from '../texts/en/document.ts';
import { DEFAULT_ROWS } from './row-presets.ts';

/**
 * What the user edits: the same file that the command line renders (`tiercut render project.json`), and under `studio` what only the
 * page needs. Immutable: every change is a command through `session.ts`, so that it can be undone.
 */
export interface Project {
  readonly tier_list: TierList;
  readonly timeline_data: TimelineData;
  readonly settings: RawSettings;
  /** The path of each `file_field`'s file, relative to the project file. */
  readonly media: Readonly<Record<string, string>>;
  readonly studio: StudioPart;
  readonly template?: Template;
}

interface TierList {
  readonly title?: string;
  readonly rows: readonly RawRow[];
  readonly items: readonly RawItem[];
}

/** All lanes, none absent. In the studio every entry has an `id` (`withIds`). */
export type TimelineData = { readonly [L in LaneName]: readonly EntryOf<L>[] };

export type EntryOf<L extends LaneName> = WithId<LaneEntry<L>>;
type WithId<T> = Omit<T, 'id'> & { readonly id: string };

/**
 * What makes a project a template. Texts of its documents have placeholders. What is no text has the default of its field, so that
 * the documents are valid as they are; `bound` says where. (C83)
 */
export interface Template {
  readonly name?: string;
  /** In the order of forms and tables. The default of a field for media is the file of the same name, that of `items` is the board. */
  readonly fields: readonly TemplateField[];
  /** Field by place: a JSON Pointer with ids instead of the indices of entries, rows and items. */
  readonly bound: Readonly<Record<string, string>>;
  /** How reveals are made of the items; absent: they are entries. (C64) */
  readonly auto?: RawAuto;
  /** Set in an episode: its fields are filled in, and its documents are those of a template. */
  readonly episode?: Episode;
}

interface Episode {
  /** The id of the template in this browser. */
  readonly of: string;
  readonly name: string;
}

/** What only the page needs; other programs ignore it. */
interface StudioPart {
  /** The facts of each `file_field`'s file. */
  readonly media: Readonly<Record<string, MediaEntry>>;
  /** The expected facts of files that are still being made. Each is removed when its file arrives. Their hashes are not valid. */
  readonly coming?: Readonly<Record<string, MediaEntry>>;
  /** The edition of the defaults that the user has seen: `LOOKS`, or lower if an earlier version saved the project. */
  readonly looks?: number;
  /** Of a template: the episodes to make from it. */
  readonly table?: EpisodeTable;
  /** Lanes that are muted, solo or locked. */
  readonly lanes?: LaneSwitches;
  /** Set while a take runs; never saved. */
  readonly running?: RunningTake;
}

/** Episodes of a template: one row for each video. */
export interface EpisodeTable {
  readonly rows: readonly EpisodeRow[];
  /** The facts of the files in its cells, by SHA-256. */
  readonly files: Readonly<Record<string, MediaEntry>>;
  /** A number above the ids of all rows, also of removed ones; absent in tables of earlier releases. */
  readonly next?: number;
}

/** An episode in a table. */
export interface EpisodeRow {
  /** Different from those of all other rows, also of removed ones. */
  readonly id: number;
  /** The name of the video; may be empty. */
  readonly video: string;
  /** By field, as the service takes them; a field without a value is absent. A wrong value stays as it was typed. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** A switch of a lane, or of the sounds of one role. */
export type LaneSwitch = 'muted' | 'solo' | 'locked';
export type LaneSwitches = Readonly<Record<string, { readonly [S in LaneSwitch]?: true }>>;

/** Increases when new defaults change how saved projects look; `frame/notices.tsx` then reports the differences. */
export const LOOKS = 2;

/** Whether the project looks different from when it was saved. */
export function hasOtherLooks({ studio, tier_list, media }: Project): boolean {
  const isEmpty = tier_list.items.length === 0 && Object.keys(media).length === 0;
  return !isEmpty && (studio.looks ?? 1) < LOOKS;
}

/** Whether the project has no item, no file, no entry and no field. */
export function isBare({ tier_list, media, timeline_data, template }: Project): boolean {
  if (template !== undefined) return false;
  const hasEntries = Object.values(timeline_data).some((lane) => Array.isArray(lane) && lane.length > 0);
  return !hasEntries && tier_list.items.length === 0 && Object.keys(media).length === 0;
}

/** The facts of a field's file, present or still being made. */
export function mediaOf({ studio }: Project, field: string): MediaEntry | undefined {
  return studio.media[field] ?? studio.coming?.[field];
}

/** A file of the project, by its content hash; `media/media-store.ts` has the bytes. */
export interface MediaEntry extends MediaFacts {
  /** The original file name. */
  readonly name: string;
  readonly bytes: number;
  /** MIME type as reported by the browser; may be empty. */
  readonly type: string;
  /** Whether it was recorded in a take. */
  readonly recorded?: true;
  /** The role that was guessed at the import. */
  readonly role?: SoundRole;
}

/** A new project: the default rows and no items. */
export const EMPTY_PROJECT: Project = {
  tier_list: {
    title: texts.newProject,
    rows: DEFAULT_ROWS.map(({ label, color }) => ({ id: label.toLowerCase(), label, color, item_ids: [] })),
    items: [],
  },
  timeline_data: Object.fromEntries(LANE_NAMES.map((lane) => [lane, []])) as unknown as TimelineData,
  settings: {
    preset: 'landscape',
    fps: 30,
    reveal: 'spotlight',
    reveal_sound: 'theme',
    background: { kind: 'theme' },
    layout: 'board',
    subtitle_style: 'pop',
    loudness: -14,
  },
  media: {},
  studio: { media: {}, looks: LOOKS },
};

/** Adds an `id` to every entry that has none, so that a selection survives moves. */
export function withIds(
  lanes: { readonly [lane in keyof TimelineData]?: readonly { readonly id?: string | undefined }[] },
) {
  const entries = LANE_NAMES.map((lane) => {
    const sent = lanes[lane] ?? [];
    const taken = new Set(sent.flatMap(({ id }) => (id === undefined ? [] : [id])));
    return [lane, sent.map((entry) => (entry.id === undefined ? { ...entry, id: freeId(lane, taken) } : entry))];
  });
  return Object.fromEntries(entries) as TimelineData;
}
