import type { Frames, Micros, Range } from '../../time.ts';
import type { ClipTransitionName, EntranceName } from '../../timeline/choices.ts';
import type { Camera } from '../../timeline/export-request.ts';
import type { Rect } from './canvas.ts';

/** A video clip, an animation or a still, drawn on the canvas. */
export interface ClipLayer {
  readonly id: string;
  /** JSON Pointer of the entry, for messages. */
  readonly path: string;
  readonly source: number;
  readonly kind: 'video' | 'animation' | 'still';
  readonly shows: Range<Frames>;
  /** Source time: frame `shows.start + lead` shows `start`; nothing at or after `end` is ever shown. (R5, C16) */
  readonly trim: Range<Micros>;
  /** Frames of a transition that are shown before the in-point is due. (C58) */
  readonly lead: Frames;
  /** Source seconds a second, in millionths. */
  readonly speed: number;
  /** Animations start over at the end of the trim; everything else holds its last frame. */
  readonly loop: boolean;
  /** The crop of the upright, square-pixelled source picture. */
  readonly crop: Rect;
  /** The place of the crop on the canvas, scaled to fit exactly. */
  readonly dest: Rect;
  /** How a view moves within the crop; null: all of it is shown. (C59) */
  readonly motion: Motion | null;
  /** A blurred copy behind the picture (`fit: blur`), or null. */
  readonly backdrop: { readonly crop: Rect; readonly dest: Rect } | null;
  /** The rectangle that shows only the background beside the picture. */
  readonly matte: Rect | null;
  /** It is a background clip with this much blur (from 0 to 1); absent: it is an ordinary layer. (C61) */
  readonly ground?: { readonly blur: number };
  /** Whether the source is transparent. */
  readonly alpha: boolean;
  /** Whether it is in front of boards. (C54) */
  readonly isAboveBoard: boolean;
  readonly fadeIn: Frames;
  readonly fadeOut: Frames;
  /** How a picture-in-picture is cut out and framed; null: it is a plain rectangle. (C48) */
  readonly look: ClipLook | null;
  readonly enter: Entrance | null;
  readonly exit: Entrance | null;
  /** How it replaces the clip before it, in its first frames. (C58) */
  readonly transition: ClipTransition | null;
  /** Its last frames, in which the next clip replaces it. */
  readonly transitionOut: Frames;
}

/** A view that moves within a clip's crop. Centres are in pixels of the upright source. (C59) */
export interface Motion {
  readonly over: Range<Frames>;
  readonly from: Camera;
  readonly to: Camera;
  readonly ease: 'linear' | 'ease_in_out';
  /** The part of the view on the canvas, relative to its centre, at a `scale` of 1. */
  readonly part: Rect;
}

/** A transition from one clip to the next. (C58) */
export interface ClipTransition {
  readonly kind: ClipTransitionName;
  readonly frames: Frames;
  /** Index into `RenderPlan.clips`; null: the transition starts from the layers below. */
  readonly from: number | null;
}

/** The outline of a picture-in-picture, and its decoration. */
export interface ClipLook {
  /** The box of the outline; unlike the drawn picture, it may extend beyond the canvas. */
  readonly rect: Rect;
  /** Of the corners; half of a side: a circle. */
  readonly radiusPx: number;
  readonly border: { readonly color: string; readonly widthPx: number } | null;
  readonly shadow: boolean;
}

/** An entrance, in the first frames of an entry; or an exit, in its last frames. (C48, R20) */
export interface Entrance<Kind extends EntranceKind = RequestedEntrance> {
  readonly kind: Kind;
  readonly frames: Frames;
}

/** Those that a request can name, and those that themes have for titles. (R37) */
export type EntranceKind = RequestedEntrance | 'wipe' | 'flicker' | 'spring' | 'steps';
type RequestedEntrance = Exclude<EntranceName, 'none'>;
