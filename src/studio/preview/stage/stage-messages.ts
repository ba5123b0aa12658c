import type { PackedPlan } from '../../session/packed-plan.ts';

/** From the page to the stage. */
export type ToStage =
  | { readonly kind: 'attach'; readonly place: string; readonly canvas: OffscreenCanvas }
  | { readonly kind: 'detach'; readonly place: string }
  /** Canvas pixels per pixel of the plan. */
  | { readonly kind: 'scale'; readonly place: string; readonly scale: number }
  /** New plans. Listed presets without a new plan keep theirs. */
  | {
      readonly kind: 'plans';
      readonly plans: ReadonlyMap<string, PackedPlan>;
      readonly presets: readonly string[];
    }
  | { readonly kind: 'show'; readonly order: ShowOrder }
  | { readonly kind: 'file'; readonly hash: string; readonly file: Blob | null }
  /** A file that was missing has arrived. */
  | { readonly kind: 'came'; readonly hash: string }
  /** A reply to `ask_drawing` and `ask_frame`. */
  | { readonly kind: 'picture'; readonly ask: number; readonly bitmap: ImageBitmap | null };

/** What to show and where: presets by place, the most important first. */
export interface ShowOrder {
  readonly frame: number;
  readonly playing: boolean;
  readonly places: readonly { readonly place: string; readonly preset: string }[];
}

/** From the stage to the page. */
export type FromStage =
  | { readonly kind: 'ask_file'; readonly hash: string }
  | { readonly kind: 'ask_drawing'; readonly ask: number; readonly hash: string; readonly maxPx: number }
  /** Requests a frame of a video element in the page. `source` names a clip's element, which lives until `end_source`. */
  | {
      readonly kind: 'ask_frame';
      readonly ask: number;
      readonly source: string;
      readonly hash: string;
      readonly micros: number;
    }
  | { readonly kind: 'end_source'; readonly source: string }
  | { readonly kind: 'shown'; readonly shown: Shown }
  | { readonly kind: 'failed'; readonly message: string };

/** A frame is on a canvas. */
export interface Shown {
  readonly place: string;
  readonly preset: string;
  readonly frame: number;
  /** False while the frames of some clips are loading. */
  readonly settled: boolean;
  /** Why it may differ from the export, without duplicates. */
  readonly close: readonly string[];
}
