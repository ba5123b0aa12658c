import type { BoardEvent } from './board-scene.ts';
import type { MadeSound } from './render-plan.ts';

/** How long each kind of event is under way, in seconds: what comes after a landing included. (R13, R19) */
export const EVENT_SECONDS: Readonly<Record<BoardEvent['style'], number>> = {
  none: 0,
  pop: 0.35,
  spotlight: 0.25 + 0.6 + 0.35 + 0.4,
  slam: 0.6,
  move: 1.2,
};

/** When the card touches the board, in seconds from the event's frame: there a flash begins, and an impact is heard. */
export const LANDING_SECONDS: Readonly<Record<BoardEvent['style'], number>> = {
  none: 0,
  pop: 0,
  spotlight: 0.25 + 0.6 + 0.35,
  slam: 0.2,
  move: 0.8,
};

/** How long the sounds made by code are, in seconds. */
export const MADE_SOUND_SECONDS: Readonly<Record<MadeSound, number>> = { pop: 0.16, whoosh: 0.5, impact: 0.8 };
