import type { Issue } from '../../errors.ts';
import type { Filled } from '../fields.ts';
import type { ITEM_BASICS } from '../tier-list-fields.ts';
import type { BlockEntry, TileEntry } from './board-entries.ts';
import type { AudioEntry, SoundtrackEntry, VideoEntry } from './clip-entries.ts';
import type { MediaRef } from './media-ref.ts';
import type { Camera } from './places.ts';
import type { Settings } from './settings.ts';
import type { SubtitleEntry, TitleEntry } from './text-entries.ts';

/**
 * The checked and complete request: every default is filled in, every alias resolved, and every unit that does not
 * depend on the media. `path` is always the entry's own JSON Pointer, also in legacy documents.
 */
export interface ExportRequest {
  readonly tierList: TierList;
  /** False for a legacy client that sent none: then there is no board, even if there are blocks. (C25) */
  readonly hasTierList: boolean;
  readonly timeline: Timeline;
  /** The timeline document with the entries that `auto` added; null: it added none. (C64) */
  readonly completed: Readonly<Record<string, unknown>> | null;
  readonly settings: Settings;
  readonly warnings: readonly Issue[];
}

export interface TierList {
  readonly title: string;
  readonly rows: readonly TierRow[];
  readonly items: readonly TierItem[];
}

export interface TierRow {
  readonly path: string;
  readonly id: string;
  readonly label: string;
  /** null: the theme decides, by the row's place. */
  readonly color: string | null;
  /** Indices into `TierList.items`; an item is in one row at most. (C22) */
  readonly items: readonly number[];
}

/** A `fit` of null is that of the settings; an empty `score` or `note` is not shown. (C45, C46) */
export interface TierItem extends Filled<typeof ITEM_BASICS> {
  readonly path: string;
  readonly id: string;
  readonly name: string;
  readonly media: MediaRef | null;
  /** The visible part of its picture; null: the middle, in the size of its fit. (R35) */
  readonly view: Camera | null;
}

export interface Timeline {
  readonly videos: readonly VideoEntry[];
  readonly audios: readonly AudioEntry[];
  readonly soundtracks: readonly SoundtrackEntry[];
  readonly blocks: readonly BlockEntry[];
  readonly tiles: readonly TileEntry[];
  readonly titles: readonly TitleEntry[];
  /** Those of the documents, then those of files. */
  readonly subtitles: readonly SubtitleEntry[];
  /** The files that hold subtitles. They are read as text and used nowhere else. (C43) */
  readonly subtitleFiles: readonly MediaRef[];
}
