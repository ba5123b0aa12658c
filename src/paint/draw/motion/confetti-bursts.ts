import type { BoardEvent } from '../../../plan/model/board-scene.ts';
import type { Theme } from '../../../plan/model/theme.ts';
import { boardStateAt } from '../../../plan/reveal/board-state.ts';
import { type Burst, CONFETTI_SECONDS } from '../../../plan/reveal/confetti.ts';
import { easeIn, part } from '../../../plan/reveal/curves.ts';
import { lookOf } from '../../../plan/theme/theme-looks.ts';
import { around, type Box } from '../../boxes.ts';
import type { Canvas2D } from '../../canvas-2d.ts';
import { poseAt } from '../../layout/board-pose.ts';
import { mixed, type Rgb, rgba } from '../color.ts';
import { Inks } from '../inks.ts';
import { type FrontDrawing, type FrontTools, laneColor } from './front-drawing.ts';

const SLIPS = 48;
const BLACK: Rgb = [0, 0, 0];
/** Air slows a slip down by this rate a second, until it sinks at a constant speed. */
const DRAG = 2.8;
/** Seconds in which slips come up to their size, and from where on they dwindle. */
const GROWN = 0.1;
const DWINDLES = 1.35;

/** One slip of paper. Lengths are shares of the shorter side of the board, speeds those a second. */
interface Slip {
  /** Where on the card it starts, from its centre, as a share of the card. */
  readonly from: readonly [x: number, y: number];
  readonly speed: readonly [x: number, y: number];
  readonly sinks: number;
  readonly size: readonly [width: number, height: number];
  /** Half turns a second about its axis and in the plane, and their start. */
  readonly flutter: number;
  readonly spin: number;
  readonly phase: number;
  readonly sway: number;
  /** Of the theme's colours, from 0 to 1. */
  readonly color: number;
}

interface Thrown {
  readonly slips: readonly Slip[];
  readonly card: Box;
  readonly colors: readonly Rgb[];
}

/** Confetti of landings: a function of the item's seed and of the seconds since the landing. (C55) */
export class ConfettiBursts {
  readonly #tools: Pick<FrontTools, 'parts'>;
  readonly #thrown = new WeakMap<BoardEvent, Thrown | null>();

  constructor(tools: Pick<FrontTools, 'parts'>) {
    this.#tools = tools;
  }

  drawings(bursts: readonly Burst[]): FrontDrawing[] {
    return bursts.flatMap((burst) => {
      if (!this.#thrown.has(burst.event)) this.#thrown.set(burst.event, this.#throw(burst));
      const thrown = this.#thrown.get(burst.event)!;
      return thrown === null ? [] : [this.#drawing(thrown, burst.seconds)];
    });
  }

  /** From the card at its landing; later moves do not matter. */
  #throw({ event, seed }: Burst): Thrown | null {
    const { scene, layout, theme } = this.#tools.parts;
    const pose = poseAt(layout, boardStateAt(scene, event.lands, lookOf(theme).motion));
    const card = pose.cards.get(event.item);
    if (card === undefined) return null;
    const color = laneColor(this.#tools.parts, pose.laneOf.get(event.item)!);
    return { slips: slipsOf(seed), card, colors: confettiColors(theme, color) };
  }

  #drawing({ slips, card, colors }: Thrown, seconds: number): FrontDrawing {
    const { layout, theme } = this.#tools.parts;
    const unit = Math.min(layout.panel.width, layout.panel.height);
    const flying = slips.map((slip) => ({ slip, ...placeAt(slip, seconds, card, unit) }));
    return {
      box: around(
        flying.map(({ x, y, reach }) => ({ x: x - reach, y: y - reach, width: 2 * reach, height: 2 * reach })),
      ),
      draw: (context) => {
        context.globalAlpha = 1;
        for (const { slip, x, y, width, height, turn, tilt } of flying) {
          if (width <= 0) continue;
          const face = colors[Math.floor(slip.color * colors.length)]!;
          drawSlip(context, { x, y, width, height, turn, tilt, corner: lookOf(theme).confetti.round, face });
        }
      },
    };
  }
}

function confettiColors(theme: Theme, row: Rgb): readonly Rgb[] {
  const inks = new Inks(theme, row);
  return lookOf(theme).confetti.inks.map((ink) => inks.of(ink));
}

interface Flying {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** No part of it is further from its centre. */
  readonly reach: number;
  /** In the plane, in radians, and about its axis: from 1, its face, to -1, its back. */
  readonly turn: number;
  readonly tilt: number;
}

/** Where a slip is: thrown up, slowed by the air, sinking and swaying. */
function placeAt(slip: Slip, seconds: number, card: Box, unit: number): Flying {
  const flown = (1 - Math.exp(-DRAG * seconds)) / DRAG;
  const swayed = slip.sway * Math.sin(slip.phase + Math.PI * slip.flutter * 0.5 * seconds) * seconds;
  const size = part(seconds, 0, GROWN) * (1 - easeIn(part(seconds, DWINDLES, CONFETTI_SECONDS))) * unit;
  const [width, height] = [slip.size[0] * size, slip.size[1] * size];
  return {
    x: card.x + card.width * (0.5 + slip.from[0]) + (slip.speed[0] * flown + swayed) * unit,
    y: card.y + card.height * (0.5 + slip.from[1]) + (slip.speed[1] * flown + slip.sinks * (seconds - flown)) * unit,
    width,
    height,
    reach: Math.hypot(width, height) / 2 + 1,
    turn: slip.phase + Math.PI * slip.spin * seconds,
    tilt: Math.cos(slip.phase + Math.PI * slip.flutter * seconds),
  };
}

function drawSlip(
  context: Canvas2D,
  {
    x,
    y,
    width,
    height,
    turn,
    tilt,
    corner,
    face,
  }: Omit<Flying, 'reach'> & { readonly corner: number; readonly face: Rgb },
): void {
  context.save();
  context.translate(x, y);
  context.rotate(turn);
  // Seen from its edge it is a line.
  context.scale(1, Math.max(0.12, Math.abs(tilt)));
  context.fillStyle = rgba(tilt < 0 ? mixed(face, BLACK, 0.22) : face, 1);
  context.beginPath();
  context.roundRect(-width / 2, -height / 2, width, height, (Math.min(width, height) / 2) * corner);
  context.fill();
  context.restore();
}

/** The slips of a seed. */
function slipsOf(seed: number): Slip[] {
  const random = randomFrom(seed);
  const within = (from: number, to: number) => from + (to - from) * random();
  return Array.from({ length: SLIPS }, (): Slip => {
    const angle = within(-1.7, 1.7);
    const speed = within(0.5, 1.9);
    const width = within(0.02, 0.032);
    return {
      from: [within(-0.4, 0.4), within(-0.45, 0.1)],
      speed: [Math.sin(angle) * speed, -Math.cos(angle) * speed],
      sinks: within(0.25, 0.55),
      size: [width, width * within(0.55, 1)],
      flutter: within(1.5, 4),
      spin: within(-1.6, 1.6),
      phase: within(0, 2 * Math.PI),
      sway: within(0, 0.03),
      color: random(),
    };
  });
}

/** Numbers from 0 to 1, the same for the same seed on every machine: mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mix = Math.imul(state ^ (state >>> 15), state | 1);
    mix ^= mix + Math.imul(mix ^ (mix >>> 7), mix | 61);
    return ((mix ^ (mix >>> 14)) >>> 0) / 2 ** 32;
  };
}
