import type { Entry, EntryIndex } from '../../document/timeline/entries.ts';
import type { PlannedReveals } from '../../document/timeline/reveal-course.ts';
import type { TimeRules } from '../../document/timeline/slot.ts';
import type { RenderedRange } from '../../session/rendered.ts';
import type { TimeScale } from '../view/time-scale.ts';
import type { Marquee, TimelineLayout } from '../view/timeline-layout.ts';
import type { TimelineColors } from './timeline-colors.ts';

/** A drawable with a size in pixels. */
export type Picture = ImageBitmap | HTMLCanvasElement;

/** The facts of a file that drawing needs. */
interface DrawnMedia {
  readonly name: string;
  readonly hash: string;
  readonly kind: string;
  readonly sound: boolean;
}

/** A reveal to draw. */
export interface DrawnReveal {
  readonly name: string;
  readonly letter: string;
  readonly color: string;
  readonly picture: Picture | null;
}

/** All inputs of a drawing of the timeline. */
export interface TimelineDrawing {
  readonly width: number;
  readonly height: number;
  readonly layout: TimelineLayout;
  readonly scale: TimeScale;
  readonly scrollTop: number;
  readonly rules: TimeRules;
  readonly reveals: PlannedReveals;
  readonly colors: TimelineColors;
  readonly isSelected: (ref: EntryIndex) => boolean;
  readonly focused: EntryIndex | null;
  readonly issues: ReadonlyMap<string, 'error' | 'warning'>;
  /** The ranges that the service has rendered. */
  readonly rendered: readonly RenderedRange[];
  /** The frame that a drag snaps to. */
  readonly heldAt: number | null;
  /** The selection rectangle. */
  readonly marquee: Marquee | null;
  readonly media: (field: string) => DrawnMedia | null;
  readonly reveal: (tile: Entry) => DrawnReveal;
  readonly film: (hash: string, time: number, spacing: number) => Picture | null;
  readonly spacing: (secondsAPicture: number) => number;
  readonly wave: (hash: string) => Uint8Array | null;
  readonly still: (hash: string, kind: string) => Picture | null;
}
