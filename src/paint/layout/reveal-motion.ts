import type { RevealStyle } from '../../plan/render-plan.ts';

/** How a popping card looks: its size against its slot's, and how much of it shows. */
export interface Pop {
  readonly scale: number;
  readonly alpha: number;
}

/** How a spotlit card looks. Every part runs from 0 or 1 to 0 or 1, without a jump. */
export interface Spotlight {
  /** 0: not there yet, 1: large at the centre. */
  readonly entrance: number;
  /** 0: at the centre, 1: in its slot. */
  readonly flight: number;
  /** How much the rest of the board is dimmed, from 0 to 1. */
  readonly dim: number;
  /** How much of the name shows. */
  readonly name: number;
}

// Of the 1.2 s of a spotlight: 0.25 s in, 0.6 s hold, 0.35 s flight. (R13)
const SPOTLIGHT_SECONDS = 1.2;
const ENTERED = 0.25 / SPOTLIGHT_SECONDS;
const TAKES_OFF = 0.85 / SPOTLIGHT_SECONDS;

/**
 * How far the room for a card has opened at `progress`; 0 at 0, 1 at 1, and never less later on. A pop's room is ready
 * before the card is at full size, a spotlight's before it lands.
 */
export function roomAt(style: RevealStyle, progress: number): number {
  if (style === 'spotlight') return easeInOut(part(progress, 0.6 / SPOTLIGHT_SECONDS, 1.1 / SPOTLIGHT_SECONDS));
  return easeOut(part(progress, 0, 0.55));
}

/** The card grows past its size a little and settles. */
export function popAt(progress: number): Pop {
  const overshoot = 1.9;
  const left = part(progress, 0.1, 1) - 1;
  const back = 1 + (overshoot + 1) * left ** 3 + overshoot * left ** 2;
  return { scale: 0.5 + 0.5 * back, alpha: easeOut(part(progress, 0.05, 0.5)) };
}

/** Large at the centre, with its name; then off to its slot. */
export function spotlightAt(progress: number): Spotlight {
  const entrance = easeOut(part(progress, 0, ENTERED));
  const flight = easeInOut(part(progress, TAKES_OFF, 1));
  const leaving = easeInOut(part(progress, TAKES_OFF - 0.06, TAKES_OFF + 0.14));
  return {
    entrance,
    flight,
    dim: entrance * (1 - easeInOut(part(progress, TAKES_OFF, 0.97))),
    name: entrance * (1 - leaving),
  };
}

/** All that moves at `progress`, as numbers: equal numbers, equal pictures. `opens`: whether anything makes room. */
export function motionAt(style: RevealStyle, progress: number, opens: boolean): number[] {
  const look = style === 'spotlight' ? spotlightAt(progress) : popAt(progress);
  return [...(opens ? [roomAt(style, progress)] : []), ...Object.values(look)];
}

/** Where `value` is on the way from `from` to `to`, from 0 to 1. */
function part(value: number, from: number, to: number): number {
  return Math.min(1, Math.max(0, (value - from) / (to - from)));
}

function easeOut(t: number): number {
  return 1 - (1 - t) ** 3;
}

function easeInOut(t: number): number {
  return t < 0.5 ? 4 * t ** 3 : 1 - (2 - 2 * t) ** 3 / 2;
}
