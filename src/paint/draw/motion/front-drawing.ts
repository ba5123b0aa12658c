import type { BoardState, Flight } from '../../../plan/board-state.ts';
import type { Canvas2D } from '../../canvas-2d.ts';
import type { BoardPose } from '../../layout/board-pose.ts';
import type { Box } from '../../layout/box.ts';
import type { CardSprites, CardSpritesParts } from '../card/card-sprites.ts';
import { INK_LIGHT, type Rgb, rgbOf } from '../color.ts';
import type { SoftLayer, SoftShapes } from './soft-shapes.ts';

/** One card's part of the picture in front of the board, back to front. */
export interface FrontDrawing {
  /** How much the rest is dimmed, from 0 to 1. */
  readonly dim: number;
  /** Nothing is drawn outside it. */
  readonly box: Box;
  drawBelow?(context: Canvas2D): void;
  draw(context: Canvas2D): void;
  drawAbove?(context: Canvas2D): void;
}

/** The tools for drawing cards. */
export interface FrontTools {
  readonly parts: CardSpritesParts;
  readonly cards: CardSprites;
  readonly soft: SoftShapes;
}

/** Draws the cards of one style while they are in front of the board. */
export interface FrontPainter {
  /** @param flights the current ones of its style, earliest first. */
  drawings(flights: readonly Flight[], state: BoardState, pose: BoardPose): FrontDrawing[];
}

/** Soft, and a little below the card: light comes from above. */
export const SHADOW: SoftLayer = { color: 'rgba(0, 0, 0, 0.7)', blur: 0.07, radius: 0.09, drop: 0.045 };

/** The colour of a lane: that of its row, or light for the pool. */
export function laneColor({ scene }: CardSpritesParts, lane: number): Rgb {
  const row = scene.rows[lane];
  return row === undefined ? INK_LIGHT : rgbOf(row.color);
}

export function longer({ width, height }: Box): number {
  return Math.max(width, height);
}
