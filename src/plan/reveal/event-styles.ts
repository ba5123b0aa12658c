import type { BoardEvent } from '../board-scene.ts';
import { type EventStyle, type NoLook, type Shake, sinceLanding } from './event-style.ts';
import { MOVE, type MoveLook } from './move.ts';
import { NONE } from './none.ts';
import { POP } from './pop.ts';
import { SLAM, type SlamLook } from './slam.ts';
import { SPOTLIGHT, type SpotlightLook } from './spotlight.ts';

export type EventStyleName = BoardEvent['style'];

/** What a card of each style looks like in front of the board. */
interface Looks {
  readonly none: NoLook;
  readonly pop: NoLook;
  readonly spotlight: SpotlightLook;
  readonly slam: SlamLook;
  readonly move: MoveLook;
}

/** All there is to know of each style; how its card is drawn in front of the board is in `paint/draw/motion`. */
export const EVENT_STYLES: { readonly [Name in EventStyleName]: EventStyle<Looks[Name]> } = {
  none: NONE,
  pop: POP,
  spotlight: SPOTLIGHT,
  slam: SLAM,
  move: MOVE,
};

/** How far the room for a card has opened at `progress`. */
export function roomAt(style: EventStyleName, progress: number): number {
  return progress >= 1 ? 1 : EVENT_STYLES[style].room(progress);
}

/** Whether the card has touched the board. A card that pops is on it from the start. */
export function hasLanded(style: EventStyleName, progress: number): boolean {
  return progress >= 1 || sinceLanding(EVENT_STYLES[style], progress) >= 0;
}

/** How far an event pushes the board out of its place. */
export function shakeAt(style: EventStyleName, progress: number): Shake {
  return EVENT_STYLES[style].shake?.(progress) ?? { x: 0, y: 0 };
}

/** All that moves at `progress`, as numbers: equal numbers, equal pictures. `opens`: whether anything makes room. */
export function motionAt(style: EventStyleName, progress: number, opens: boolean): number[] {
  const { look, landed } = EVENT_STYLES[style];
  const { x, y } = shakeAt(style, progress);
  const room = opens ? [roomAt(style, progress)] : [];
  return [...room, ...Object.values(look(progress)), ...Object.values(landed(progress)), x, y];
}
