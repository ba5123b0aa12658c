import { easeInOut, easeOut, part, spring } from './curves.ts';
import { type EventStyle, settling } from './event-style.ts';

/** How a spotlit card looks until it lands. */
export type SpotlightLook = {
  /** Its size against the one it has in the spotlight; a spring. */
  readonly scale: number;
  /** How much of it shows. */
  readonly alpha: number;
  /** 0: at the centre, 1: in its slot. */
  readonly flight: number;
  /** How much everything else is dimmed, from 0 to 1. */
  readonly dim: number;
  /** How much of the name shows. */
  readonly name: number;
  /** How bright the glow is around it. */
  readonly glow: number;
  /** The label beside it: how large against its own size, and how much of it shows. */
  readonly stamp: number;
  readonly stampAlpha: number;
};

const LANDING = { seconds: 0.25 + 0.6 + 0.35 + 0.4, landsAt: 0.25 + 0.6 + 0.35 };
const TAKES_OFF = 0.85;
/** The spring has come to rest by then; from there to the stamp nothing moves. */
const SPRUNG = 0.32;
/** As fast as a lamp goes out, and a little slower back: all of the canvas changes meanwhile, which is what a frame costs most for. */
const DIMMED = 0.1;
const LIGHTENS = TAKES_OFF + 0.1;
const LIGHTENED = LIGHTENS + 0.17;
const STAMPS = 0.78;

/** Large at the centre, with its name and verdict; then off to its slot. (R13, R19) */
export const SPOTLIGHT: EventStyle<SpotlightLook> = {
  ...LANDING,
  room: (progress) => easeInOut(part(progress * LANDING.seconds, 0.6, 1.1)),
  look: (progress) => {
    const seconds = progress * LANDING.seconds;
    const entrance = easeOut(part(seconds, 0, 0.22));
    const leaving = part(seconds, TAKES_OFF, LANDING.landsAt);
    const stampGoes = part(seconds, LANDING.landsAt, LANDING.landsAt + 0.2);
    return {
      scale: 0.7 + 0.3 * spring(part(seconds, 0, SPRUNG)),
      alpha: easeOut(part(seconds, 0, 0.12)),
      flight: easeInOut(leaving),
      dim: easeOut(part(seconds, 0, DIMMED)) * (1 - easeInOut(part(seconds, LIGHTENS, LIGHTENED))),
      name: entrance * (1 - easeInOut(part(seconds, TAKES_OFF - 0.05, TAKES_OFF + 0.15))),
      glow: entrance * (1 - leaving),
      stamp: 1 + 1.1 * (1 - part(seconds, STAMPS, STAMPS + 0.14)) ** 2,
      stampAlpha: easeOut(part(seconds, STAMPS, STAMPS + 0.1)) * (1 - easeInOut(stampGoes)),
    };
  },
  landed: settling(LANDING),
  shake: null,
};
