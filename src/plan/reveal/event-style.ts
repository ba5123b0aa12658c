import { type EventClock, LANDING } from './course.ts';
import { easeInOut, easeOut, hump, part, restingAt } from './curves.ts';
import { poseAfter } from './passage.ts';

/**
 * A style of event. Every curve is a function of the seconds since the event's frames: it is the same at every frame
 * rate, has no jump except those that a verdict or a landing starts, and ends exactly at rest. Durations are in
 * `SECONDS`. (R13, R19)
 */
export interface EventStyle<Look extends Readonly<Record<string, number>>> {
  /** How far the room for the card has opened, from 0 to 1. It never decreases, and is 1 before the card is there. */
  room(clock: EventClock): number;
  /** The card in front of the board, until it lands and while any part of it stays there. */
  look(clock: EventClock): Look;
  /** The card on the board, and the effects of its landing. */
  landed(clock: EventClock): Landed;
  /** How much everything behind the card is dimmed, from 0 to 1; null: never. */
  readonly dim: ((clock: EventClock) => number) | null;
  /** How far the board and the layers below are shifted, as a share of the maximum; null: never. */
  readonly shake: ((clock: EventClock) => Shake) | null;
}

/** A card on the board, and its row. */
interface Landed {
  /** Its size against its slot's. */
  readonly scale: number;
  /** How much of it shows. */
  readonly alpha: number;
  /** How far the impact flattens it, from 0 to 1. */
  readonly squash: number;
  /** The size of its row's label, relative to the normal size. */
  readonly label: number;
  /** How far the light has come that sweeps along its row, from 0 to 1, and how bright it is. */
  readonly sweep: number;
  readonly light: number;
}

export interface Shake {
  readonly x: number;
  readonly y: number;
}

/** Of a card that is never in front of the board. */
export type NoLook = Readonly<Record<never, number>>;

export const AT_REST: Landed = { scale: 1, alpha: 1, squash: 0, label: 1, sweep: 1, light: 0 };

const BUMPED = 0.12;
const LIGHT = 0.35;
const UNSEEN = 0.01;

/** The card settles as its theme lets it, and its row reacts once. */
export function settled({ lands, motion: { land } }: EventClock): Landed {
  if (lands < 0 || lands >= LANDING.sweep) return AT_REST;
  const { bump, sweep, lit } = LANDING;
  const { scale, alpha, squash } = poseAfter(land, lands);
  return {
    ...{ scale, alpha, squash },
    label: 1 + land.echo * BUMPED * hump(easeOut(part(lands, 0, bump))),
    sweep: restingAt(1, easeOut(part(lands, 0, sweep)), UNSEEN),
    light: restingAt(0, land.echo * LIGHT * part(lands, 0, lit) * (1 - easeInOut(part(lands, lit, sweep))), UNSEEN),
  };
}

/** The card is there at its frame. (R13) */
export const NONE: EventStyle<NoLook> = {
  room: () => 1,
  look: () => ({}),
  landed: () => AT_REST,
  dim: null,
  shake: null,
};
