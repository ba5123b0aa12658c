import type { MediaSource } from './media-source.ts';
import type { CallbackEvent, DestinationTarget, Issue, Media, Settings, TierList, TimelineData } from './wire-types.ts';

/** The documents of a video; docs/reference/timeline.md of the service explains every field. */
export interface Documents {
  readonly tier_list: TierList;
  readonly timeline_data: TimelineData;
  readonly settings?: Settings;
}

/**
 * Documents, and the media they mention by `file_field`: uploaded before (the result of `upload`, or its hash), to be
 * uploaded now, or to be fetched by the service from a public HTTPS address.
 */
export interface VideoRequest extends Documents {
  readonly media?: Readonly<Record<string, Pick<Media, 'media'> | { readonly url: string } | Blob | MediaSource>>;
}

/** A video to be made. */
export interface CreateRequest extends VideoRequest {
  /** A name of your choice. Every response about the export contains it. */
  readonly external_id?: string;
  /** Your own pairs of texts. Every response about the export contains them. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** The presets to render now, by name or alias; the others are rendered when they are downloaded. */
  readonly presets?: readonly string[];
  /** Gets the events of the export. */
  readonly callback_url?: string;
  /** Which events; those of the export itself if absent. */
  readonly callback_events?: readonly CallbackEvent[];
  /** How long the export is kept after its end; as long as the service keeps exports if absent. */
  readonly retention_hours?: number;
  /**
   * Where finished videos are sent with `PUT`, by preset or alias; `outputs.<preset>.destination` shows the progress.
   */
  readonly destinations?: Readonly<Record<string, string | DestinationTarget>>;
  /**
   * The same key and content again return the same export; random if absent, so that a broken connection makes no
   * second one.
   */
  readonly idempotencyKey?: string;
}

/** A frame to be shown: by its time in seconds, or by its number. */
export type FrameRequest = VideoRequest & {
  readonly preset?: string;
  readonly type?: 'image/png' | 'image/jpeg' | 'image/webp';
} & ({ readonly at: number; readonly frame?: never } | { readonly frame: number; readonly at?: never });

/** One frame of a video. */
export interface FramePicture {
  readonly picture: Blob;
  /** Its number, of how many, and when it is shown. */
  readonly frame: number;
  readonly frames: number;
  readonly time: number;
  readonly warnings: readonly Issue[];
}

/** How a thumbnail looks. */
export interface ThumbnailLooks {
  /** `question` if absent. */
  readonly style?: 'question' | 'versus' | 'podium' | 'board';
  /** From the title if absent; empty: none. */
  readonly text?: string;
  /** Ids. */
  readonly items?: readonly string[];
  /** That of the selected preset if absent. */
  readonly orientation?: 'landscape' | 'portrait';
  readonly type?: 'image/jpeg' | 'image/png';
}

/** A thumbnail to be drawn. */
export type ThumbnailRequest = VideoRequest & ThumbnailLooks;

/** A thumbnail: a file of less than 2 MB. */
export interface ThumbnailPicture {
  readonly picture: Blob;
  readonly warnings: readonly Issue[];
}
