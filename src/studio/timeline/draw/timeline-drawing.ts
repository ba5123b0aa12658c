import type { Entry, EntryRef } from '../../document/timeline/entries.ts';
import type { PlannedReveals } from '../../document/timeline/reveal-course.ts';
import type { TimeRules } from '../../document/timeline/slot.ts';
import type { RenderedRange } from '../../session/rendered.ts';
import type { TimeScale } from '../view/time-scale.ts';
import type { Marquee, TimelineLayout } from '../view/timeline-layout.ts';
import type { TimelineColors } from './timeline-colors.ts';

/** Whatever has its size in pixels and can be drawn. */
export type Picture = ImageBitmap | HTMLCanvasElement;

/** What is known of a file, as far as drawing goes. */
interface DrawnMedia {
  readonly name: string;
  readonly hash: string;
  readonly kind: string;
  readonly sound: boolean;
}

/** A reveal as it is told. */
export interface DrawnReveal {
  readonly name: string;
  readonly letter: string;
  readonly color: string;
  readonly picture: Picture | null;
}

/** Everything a drawing of the timeline is a function of. */
export interface TimelineDrawing {
  readonly width: number;
  readonly height: number;
  readonly layout: TimelineLayout;
  readonly scale: TimeScale;
  readonly scrollTop: number;
  readonly rules: TimeRules;
  readonly reveals: PlannedReveals;
  readonly colors: TimelineColors;
  readonly isSelected: (ref: EntryRef) => boolean;
  readonly focused: EntryRef | null;
  readonly issues: ReadonlyMap<string, 'error' | 'warning'>;
  /** What the service has rendered already. */
  readonly rendered: readonly RenderedRange[];
  /** The frame something dragged is held at. */
  readonly heldAt: number | null;
  /** The rectangle that is being drawn around entries. */
  readonly marquee: Marquee | null;
  readonly media: (field: string) => DrawnMedia | null;
  readonly reveal: (tile: Entry) => DrawnReveal;
  readonly film: (hash: string, time: number, spacing: number) => Picture | null;
  readonly spacing: (secondsAPicture: number) => number;
  readonly wave: (hash: string) => Uint8Array | null;
  readonly still: (hash: string, kind: string) => Picture | null;
}
