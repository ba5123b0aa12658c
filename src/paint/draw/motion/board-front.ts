import type { BoardState, Flight } from '../../../plan/reveal/board-state.ts';
import type { EventStyleName } from '../../../plan/reveal/event-styles.ts';
import { around, type Box } from '../../boxes.ts';
import type { Canvas2D } from '../../canvas-2d.ts';
import type { BoardPose } from '../../layout/board-pose.ts';
import type { CardSprites, CardSpritesParts } from '../card/card-sprites.ts';
import { DrawAhead } from '../draw-ahead.ts';
import { ConfettiBursts } from './confetti-bursts.ts';
import type { FrontPainter, FrontTools } from './front-drawing.ts';
import { SoftShapes } from './front-drawing.ts';
import { LiftedCards } from './lifted-cards.ts';
import { PoppedCards } from './popped-cards.ts';
import { SlammedCards } from './slammed-cards.ts';
import { SpotlitCards } from './spotlit-cards.ts';

/** What is in front of the board. */
export interface FrontView {
  /** Nothing is drawn outside it. */
  readonly box: Box;
  draw(context: Canvas2D): void;
}

/** The painter for cards of a style in front of the board, in this order, back to front; null: they are never there. */
const FRONTS: Readonly<Record<EventStyleName, ((tools: FrontTools) => FrontPainter) | null>> = {
  none: null,
  pop: (tools) => new PoppedCards(tools),
  move: (tools) => new LiftedCards(tools),
  // In front of these: a stamp must not look out from behind another card.
  spotlight: (tools) => new SpotlitCards(tools),
  // In front of all: it hits the board as the others leave. No stamp is left by then.
  slam: (tools) => new SlammedCards(tools),
};

/** Cards that are not on the board now: in the spotlight, about to hit it, on their way from one row to another. */
export class BoardFront {
  readonly #cards: CardSprites;
  readonly #confetti: ConfettiBursts;
  readonly #painters: readonly (readonly [style: string, painter: FrontPainter])[];

  constructor(parts: CardSpritesParts, cards: CardSprites) {
    this.#cards = cards;
    const { createSurface } = parts;
    const tools = { parts, cards, soft: new SoftShapes(createSurface), ahead: new DrawAhead(createSurface) };
    this.#confetti = new ConfettiBursts(tools);
    this.#painters = Object.entries(FRONTS).flatMap(([style, painter]) =>
      painter === null ? [] : [[style, painter(tools)] as const],
    );
  }

  /** Draws what will be in front of the board ahead, some of it at a call. Returns whether nothing is left. */
  prepare(state: BoardState, pose: BoardPose): boolean {
    const left = this.#flying(state).filter(([painter, flights]) => painter.prepare?.(flights, state, pose) === false);
    return left.length === 0;
  }

  /** The cards of each style; other cards are dropped. */
  #flying({ inFlight }: BoardState): (readonly [FrontPainter, readonly Flight[]])[] {
    const flights = inFlight.filter(({ clock }) => !clock.isOver);
    this.#cards.keepLarge(flights.map(({ event }) => event.item));
    return this.#painters.map(([name, painter]) => [painter, flights.filter(({ event }) => event.style === name)]);
  }

  /** The view in `state`; null if it is empty. */
  at(state: BoardState, pose: BoardPose): FrontView | null {
    const cards = this.#flying(state).flatMap(([painter, flights]) => painter.drawings(flights, state, pose));
    // Behind the cards: the next one may be up already.
    const drawings = [...this.#confetti.drawings(state.confetti), ...cards];
    const boxes = drawings.flatMap(({ box }) => box ?? []);
    if (boxes.length === 0) return null;
    return {
      box: around(boxes),
      draw: (context) => {
        // All glows and shadows first: none falls on a neighbouring card.
        for (const drawing of drawings) drawing.drawBelow?.(context);
        for (const drawing of drawings) drawing.draw(context);
        for (const drawing of drawings) drawing.drawAbove?.(context);
        context.globalAlpha = 1;
      },
    };
  }
}
