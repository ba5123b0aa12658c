import { firstIndex } from '../../../collections.ts';
import type { LaneName } from '../../../timeline/lanes.ts';
import type { Entry, EntryIndex, TimeRules } from '../../document/entries.ts';
import type { PlannedReveals } from '../../document/reveal-course.ts';
import type { RenderedRange } from '../../session/session.ts';
import type { TimeScale } from '../view/time-scale.ts';
import type { Marquee, TimelineLayout } from '../view/timeline-layout.ts';

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
  readonly hasSelected: (lane: LaneName) => boolean;
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

/** The colours of the page for a canvas. Read from the style sheet, which defines dark and light. */
export interface TimelineColors {
  readonly well: string;
  readonly line: string;
  readonly edge: string;
  readonly ink: string;
  readonly quiet: string;
  readonly raise: string;
  readonly accent: string;
  readonly caution: string;
  readonly bad: string;
  readonly ready: string;
  readonly board: string;
  readonly sound: string;
  readonly music: string;
  readonly onTier: string;
}

const NAMES = {
  well: '--well',
  line: '--line',
  edge: '--edge',
  ink: '--ink',
  quiet: '--quiet',
  raise: '--raise',
  accent: '--accent',
  caution: '--caution',
  bad: '--bad',
  ready: '--fine',
  board: '--tl-board',
  sound: '--tl-sound',
  music: '--tl-music',
  onTier: '--on-tier',
} as const;

let probe: HTMLElement | null = null;

/** Read from an element, since the text of a custom property contains `light-dark()` unresolved. */
export function readColors(inside: HTMLElement): TimelineColors {
  if (probe === null || !probe.isConnected) {
    probe = document.createElement('i');
    probe.hidden = true;
    inside.append(probe);
  }
  const colors: Record<string, string> = {};
  for (const [name, property] of Object.entries(NAMES)) {
    probe.style.color = `var(${property})`;
    colors[name] = getComputedStyle(probe).color;
  }
  return colors as unknown as TimelineColors;
}

export const FONT = '550 11px system-ui, "Segoe UI", "Noto Sans", sans-serif';

/** A drag draws the same texts again and again, and measuring them takes as long as drawing them. */
const fitted = new Map<string, string>();
const MAX_FITTED = 2000;

/** Shortens a text to fit. */
export function shortened(context: CanvasRenderingContext2D, text: string, room: number): string {
  const key = `${context.font} ${Math.floor(room)} ${text}`;
  const known = fitted.get(key);
  if (known !== undefined) return known;
  if (fitted.size >= MAX_FITTED) fitted.clear();
  const found = fit(context, text, Math.floor(room));
  fitted.set(key, found);
  return found;
}

function fit(context: CanvasRenderingContext2D, text: string, room: number): string {
  if (context.measureText(text).width <= room) return text;
  const isTooLong = (length: number) => context.measureText(`${text.slice(0, length)}…`).width > room;
  const length = firstIndex(text.length, (index) => isTooLong(index + 1));
  return length === 0 ? '' : `${text.slice(0, length).trimEnd()}…`;
}
