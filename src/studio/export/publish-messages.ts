import type { Published } from '../../plan/publishing-kit.ts';
import type { TimelineLimits } from '../../timeline/limits.ts';
import type { Presets } from '../../timeline/presets.ts';
import type { WantedThumbnail } from '../../timeline/wanted-fields.ts';
import type { PlannedFrom } from '../document/template.ts';

/** The project whose thumbnails are drawn. */
export interface ThumbnailOrder extends PlannedFrom {
  readonly presets: Presets;
  readonly limits: TimelineLimits;
}

/** From the page: the project, first; thumbnails to draw; and what the worker asked for, null if it is not here. */
export type ToThumbnails =
  | { readonly kind: 'open'; readonly order: ThumbnailOrder }
  | { readonly kind: 'draw'; readonly draw: number; readonly looks: WantedThumbnail }
  | { readonly kind: 'found'; readonly ask: number; readonly found: Blob | ImageBitmap | null };

/** To the page. `drawn` without a picture: the style cannot be drawn. */
export type FromThumbnails =
  | { readonly kind: 'opened'; readonly published: Published }
  | { readonly kind: 'drawn'; readonly draw: number; readonly picture: Blob | null }
  | { readonly kind: 'ask_file'; readonly ask: number; readonly hash: string }
  | { readonly kind: 'ask_drawing'; readonly ask: number; readonly hash: string; readonly maxPx: number };
