import type { PackedPlan } from '../../session/packed-plan.ts';

/** From the page to the stage. */
export type ToStage =
  | { readonly kind: 'attach'; readonly place: string; readonly canvas: OffscreenCanvas }
  | { readonly kind: 'detach'; readonly place: string }
  /** How many pixels of the canvas there are for one of the plan's. */
  | { readonly kind: 'scale'; readonly place: string; readonly scale: number }
  /** Plans that are new; of the other shapes that are named, those of before hold. */
  | {
      readonly kind: 'plans';
      readonly plans: ReadonlyMap<string, PackedPlan>;
      readonly shapes: readonly string[];
    }
  | { readonly kind: 'show'; readonly order: ShowOrder }
  | { readonly kind: 'file'; readonly hash: string; readonly file: Blob | null }
  /** A file that was not there before. */
  | { readonly kind: 'came'; readonly hash: string }
  /** An answer to `ask_drawing` and `ask_frame`. */
  | { readonly kind: 'picture'; readonly ask: number; readonly bitmap: ImageBitmap | null };

/** What is to be seen, and where: shapes by place, the most important first. */
export interface ShowOrder {
  readonly frame: number;
  readonly playing: boolean;
  readonly places: readonly { readonly place: string; readonly shape: string }[];
}

/** From the stage to the page. */
export type FromStage =
  | { readonly kind: 'ask_file'; readonly hash: string }
  | { readonly kind: 'ask_drawing'; readonly ask: number; readonly hash: string; readonly mostPx: number }
  /** What a video element of the page shows; `source` is a clip's, and ends when it is said. */
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
  readonly shape: string;
  readonly frame: number;
  /** False while the frames of some clips are still on their way. */
  readonly settled: boolean;
  /** Why it is only close to what the export shows, each reason once. */
  readonly close: readonly string[];
}
