import type { Issue } from './tiercut-error.ts';

export type ExportState = 'queued' | 'rendering' | 'completed' | 'failed' | 'cancelled' | 'expired';

/** Why an export, or one of its shapes, failed. */
export interface ExportFailure {
  readonly code: string;
  readonly detail: string;
  readonly errors: readonly Issue[];
}

/** One shape of an export. */
export interface ExportOutput {
  readonly state: ExportState | 'idle';
  /** From 0 to 1. */
  readonly progress: number;
  readonly width: number;
  readonly height: number;
  readonly bytes: number | null;
  readonly sha256: string | null;
  readonly error?: ExportFailure;
}

/** A portrait video around a reveal; made when it is first fetched. */
export interface ExportShort extends ExportOutput {
  readonly number: number;
  /** What is revealed. */
  readonly title: string;
  readonly download_url: string;
  /** Where in the whole video it begins, and how long it is, in seconds. */
  readonly start: number;
  readonly duration: number;
}

/** What the service tells of an export. */
export interface ExportInfo {
  readonly ok: boolean;
  readonly export_id: string;
  readonly download_url: string;
  readonly downloads: Readonly<Record<string, string>>;
  readonly settings: {
    readonly preset: string;
    readonly width: number;
    readonly height: number;
    readonly fps: number;
    readonly quality: string;
    readonly file_name: string;
  };
  readonly external_id: string | null;
  readonly state: ExportState;
  readonly progress: number;
  readonly duration: number;
  readonly outputs: Readonly<Record<string, ExportOutput>>;
  /** None without `settings.shorts`. */
  readonly shorts: readonly ExportShort[];
  readonly warnings: readonly Issue[];
  readonly error?: ExportFailure;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly links: Readonly<Record<string, string>>;
}

/** A page of a list; `next` leads to the one after it. */
export interface ExportPage {
  readonly exports: readonly ExportInfo[];
  readonly next: string | null;
}

/** What is in a media file that the service has. */
export interface Media {
  /** The SHA-256 of its bytes: by this it is referred to. */
  readonly media: string;
  readonly bytes: number;
  readonly facts: {
    readonly kind: 'video' | 'animation' | 'still' | 'drawing' | 'audio' | 'unreadable';
    readonly container: string | null;
    readonly duration: number;
    readonly width: number;
    readonly height: number;
    readonly fps: number | null;
    readonly codec: string | null;
    readonly alpha: boolean;
    readonly sound: { readonly codec: string; readonly channels: number; readonly sample_rate: number } | null;
    readonly problems: readonly unknown[];
  };
  readonly expires_at: string | null;
}

/** One frame of a video. */
export interface FramePicture {
  readonly picture: Blob;
  /** Its number, of how many, and when it is shown. */
  readonly frame: number;
  readonly frames: number;
  readonly time: number;
  readonly warnings: readonly Issue[];
}
