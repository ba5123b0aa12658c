import type { BoardEvent } from '../model/board-scene.ts';
import type { EventClock } from './course.ts';
import type { EventStyle, NoLook, Shake } from './event-style.ts';
import { NONE } from './event-style.ts';
import { MOVE, type MoveLook } from './move.ts';
import { POP, type PopLook } from './pop.ts';
import { SLAM, type SlamLook } from './slam.ts';
import { SPOTLIGHT, type SpotlightLook } from './spotlight.ts';

export type EventStyleName = BoardEvent['style'];

/** The look of a card of each style in front of the board. */
interface Looks {
  readonly none: NoLook;
  readonly pop: PopLook;
  readonly spotlight: SpotlightLook;
  readonly slam: SlamLook;
  readonly move: MoveLook;
}

/** How each style moves; how its card is drawn in front of the board is in `paint/draw/motion`. */
export const EVENT_STYLES: { readonly [Name in EventStyleName]: EventStyle<Looks[Name]> } = {
  none: NONE,
  pop: POP,
  spotlight: SPOTLIGHT,
  slam: SLAM,
  move: MOVE,
};

/** How far the room for a card has opened. */
export function roomAt(style: EventStyleName, clock: EventClock): number {
  return clock.isOver ? 1 : EVENT_STYLES[style].room(clock);
}

/** Whether the card has touched the board. */
export function hasLanded({ lands }: EventClock): boolean {
  return lands >= 0;
}

/** How much an event dims everything behind its card, from 0 to 1. */
export function dimAt(style: EventStyleName, clock: EventClock): number {
  return EVENT_STYLES[style].dim?.(clock) ?? 0;
}

/** How far an event shifts the board and the layers below it. */
export function shakeAt(style: EventStyleName, clock: EventClock): Shake {
  return EVENT_STYLES[style].shake?.(clock) ?? { x: 0, y: 0 };
}

/** All that moves, as numbers: equal numbers, equal pictures. `opens`: whether anything makes room. */
export function motionAt(style: EventStyleName, clock: EventClock, opens: boolean): number[] {
  const { look, landed } = EVENT_STYLES[style];
  const { x, y } = shakeAt(style, clock);
  const room = opens ? [roomAt(style, clock)] : [];
  return [...room, ...Object.values(look(clock)), ...Object.values(landed(clock)), dimAt(style, clock), x, y];
}
