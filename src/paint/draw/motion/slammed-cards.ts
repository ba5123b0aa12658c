import type { BoardState, Flight } from '../../../plan/board-state.ts';
import { hasLanded } from '../../../plan/reveal/event-styles.ts';
import type { BoardPose } from '../../layout/board-pose.ts';
import { around, grown } from '../../layout/box.ts';
import { type FrontDrawing, type FrontPainter, type FrontTools, longer, SHADOW } from './front-drawing.ts';
import { type SlammedCard, slammedCards } from './slam-pose.ts';
import { softReach } from './soft-shapes.ts';

/** Cards that are about to hit the board. */
export class SlammedCards implements FrontPainter {
  readonly #tools: FrontTools;

  constructor(tools: FrontTools) {
    this.#tools = tools;
  }

  drawings(flights: readonly Flight[], { inFlight }: BoardState, pose: BoardPose): FrontDrawing[] {
    const { layout, scene } = this.#tools.parts;
    const falling = flights.filter(({ clock }) => !hasLanded(clock));
    const lights = inFlight.filter(({ event }) => event.style === 'spotlight');
    return slammedCards(falling, lights, pose, layout, scene.rate).map((card) => this.#drawing(card));
  }

  #drawing({ item, lane, large, moments, alpha }: SlammedCard): FrontDrawing {
    const { parts, cards, soft } = this.#tools;
    const card = moments[0]!;
    const isStill = moments.every(({ x, y, width }) => x === card.x && y === card.y && width === card.width);
    return {
      dim: 0,
      box: around(moments.map((box) => grown(box, longer(box) * softReach([SHADOW])))),
      draw: (context) => {
        context.globalAlpha = alpha;
        soft.draw(context, card, [SHADOW]);
        if (isStill) {
          cards.drawLarge(context, item, lane, large, card);
          return;
        }
        // The mean of all moments, drawn separately: the background must not add to them.
        const { x, y, width, height } = around(moments);
        const { bitmap, context: blurred } = parts.createSurface(Math.ceil(width) + 1, Math.ceil(height) + 1);
        blurred.translate(-Math.floor(x), -Math.floor(y));
        blurred.globalCompositeOperation = 'lighter';
        blurred.globalAlpha = 1 / moments.length;
        for (const box of moments) cards.drawLarge(blurred, item, lane, large, box);
        context.drawImage(bitmap, Math.floor(x), Math.floor(y), bitmap.width, bitmap.height);
      },
    };
  }
}
