import { AT_REST, type EventStyle, type NoLook } from './event-style.ts';

/** The card is there at its frame. (R13) */
export const NONE: EventStyle<NoLook> = {
  room: () => 1,
  look: () => ({}),
  landed: () => AT_REST,
  shake: null,
};
