import type { BoardEvent } from '../../plan/board-scene.ts';
import { EVENT_SECONDS, LANDING_SECONDS } from '../../plan/event-times.ts';

// Every curve is a function of the seconds since its event: the same at every frame rate, without a jump, and exactly at rest
// from its event's end on. (R13, R19)

type Style = BoardEvent['style'];

/** How a popping card looks: its size against its slot's, and how much of it shows. */
interface Pop {
  readonly scale: number;
  readonly alpha: number;
}

/** How a spotlit card looks until it lands. */
export interface Spotlight {
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
}

/** How a slammed card looks until it hits. */
interface Slam {
  /** 0: outside, 1: in its slot. */
  readonly approach: number;
}

/** How a card looks that goes from one place to another. */
interface Lifted {
  /** 0: on the board, 1: as high above it as it goes. */
  readonly lift: number;
  /** How much of the sign shows that says by how many tiers. */
  readonly sign: number;
}

/** What a landing leaves behind. */
interface Landing {
  /** The card's size against its slot's. */
  readonly scale: number;
  /** How brightly its row is lit, from 0 to 1. */
  readonly flash: number;
}

const TAKES_OFF = 0.85;
const LANDS = LANDING_SECONDS.spotlight;
/** The spring has come to rest by then; from there to the stamp nothing moves. */
const SPRUNG = 0.32;
/** As fast as a lamp goes out, and a little slower back: all of the canvas changes meanwhile, which is what a frame costs most for. */
const DIMMED = 0.1;
const LIGHTENS = TAKES_OFF + 0.1;
const LIGHTENED = LIGHTENS + 0.17;
/** What a landing sets off has come to rest after this share of the time there is for it. What would still move by then nobody sees. */
const SETTLED = 0.8;
const STAMPS = 0.78;

/**
 * How far the room for a card has opened at `progress`; 0 at 0, 1 at 1, and never less later on. It is ready before the card is
 * there; a card that is moved flies as its room opens.
 */
export function roomAt(style: Style, progress: number): number {
  const seconds = progress * EVENT_SECONDS[style];
  if (progress >= 1 || style === 'none') return 1;
  if (style === 'spotlight') return easeInOut(part(seconds, 0.6, 1.1));
  if (style === 'slam') return easeInOut(part(seconds, 0, 0.18));
  if (style === 'move') return easeInOut(part(seconds, 0.18, LANDING_SECONDS.move));
  return easeOut(part(progress, 0, 0.55));
}

/** Whether the card has touched the board. A card that pops is on it from the start. */
export function hasLanded(style: Style, progress: number): boolean {
  return progress >= 1 || sinceLanding(style, progress) >= 0;
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
  const seconds = progress * EVENT_SECONDS.spotlight;
  const entrance = easeOut(part(seconds, 0, 0.22));
  const leaving = part(seconds, TAKES_OFF, LANDS);
  return {
    scale: 0.7 + 0.3 * spring(part(seconds, 0, SPRUNG)),
    alpha: easeOut(part(seconds, 0, 0.12)),
    flight: easeInOut(leaving),
    dim: easeOut(part(seconds, 0, DIMMED)) * (1 - easeInOut(part(seconds, LIGHTENS, LIGHTENED))),
    name: entrance * (1 - easeInOut(part(seconds, TAKES_OFF - 0.05, TAKES_OFF + 0.15))),
    glow: entrance * (1 - leaving),
    stamp: 1 + 1.1 * (1 - part(seconds, STAMPS, STAMPS + 0.14)) ** 2,
    stampAlpha: easeOut(part(seconds, STAMPS, STAMPS + 0.1)) * (1 - easeInOut(part(seconds, LANDS, LANDS + 0.2))),
  };
}

/** Ever faster from outside to its slot. */
export function slamAt(progress: number): Slam {
  return { approach: part(progress * EVENT_SECONDS.slam, 0, LANDING_SECONDS.slam) ** 1.5 };
}

/** How far the board is from its place after a slam, as a share of the farthest it goes; 0 before and after. */
export function shakeAt(progress: number): { readonly x: number; readonly y: number } {
  const since = sinceLanding('slam', progress);
  const length = EVENT_SECONDS.slam - LANDING_SECONDS.slam;
  if (since < 0 || since >= length) return { x: 0, y: 0 };
  const left = (1 - since / length) ** 2;
  return { x: 0.5 * left * Math.sin(since * 61), y: left * Math.cos(since * 47) };
}

/** Up, across, and down again. */
export function liftedAt(progress: number): Lifted {
  const seconds = progress * EVENT_SECONDS.move;
  const lands = LANDING_SECONDS.move;
  return {
    lift: easeOut(part(seconds, 0, 0.25)) * (1 - easeInOut(part(seconds, lands - 0.2, lands))),
    sign:
      easeOut(part(seconds, 0.08, 0.25)) * (1 - easeInOut(part(seconds, EVENT_SECONDS.move - 0.2, EVENT_SECONDS.move))),
  };
}

/** The card gives way a little under its own weight, and its row lights up once. */
export function landingAt(style: Style, progress: number): Landing {
  const since = sinceLanding(style, progress);
  const length = (EVENT_SECONDS[style] - LANDING_SECONDS[style]) * SETTLED;
  if (style === 'pop' || style === 'none' || since < 0 || since >= length) return { scale: 1, flash: 0 };
  const left = 1 - since / length;
  return { scale: 1 + 0.07 * Math.sin((since / length) * 2.4 * Math.PI) * left ** 2, flash: left ** 2 };
}

/** Seconds since the card touched the board; below 0 before. Fractions of a microsecond are a matter of rounding. */
function sinceLanding(style: Style, progress: number): number {
  const since = progress * EVENT_SECONDS[style] - LANDING_SECONDS[style];
  return Math.abs(since) < 1e-7 ? 0 : since;
}

/** All that moves at `progress`, as numbers: equal numbers, equal pictures. `opens`: whether anything makes room. */
export function motionAt(style: Style, progress: number, opens: boolean): number[] {
  const look =
    style === 'spotlight'
      ? spotlightAt(progress)
      : style === 'slam'
        ? slamAt(progress)
        : style === 'move'
          ? liftedAt(progress)
          : popAt(progress);
  const { x, y } = style === 'slam' ? shakeAt(progress) : { x: 0, y: 0 };
  const landing = Object.values(landingAt(style, progress));
  return [...(opens ? [roomAt(style, progress)] : []), ...Object.values(look), ...landing, x, y];
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

/** From 0 to 1, beyond it by a tenth, and back, in time. */
function spring(t: number): number {
  return 1 - (1 - t) * Math.exp(-4 * t) * Math.cos(6 * t);
}
