import type { Issue } from '../../errors.ts';
import { boardStateAt, revealCountsAt } from '../../plan/board-state.ts';
import type { BoardPainting, Overlay, OverlayPainter } from '../../plan/overlay-painter.ts';
import type { BoardWindow, Rect, RenderPlan, SubtitleLayer } from '../../plan/render-plan.ts';
import type { Frames } from '../../time.ts';
import type { Canvas2D, Surface } from '../canvas-2d.ts';
import { boardRoom, layoutBoard } from '../layout/board-layout.ts';
import { type Box, moved, visiblePart } from '../layout/box.ts';
import { motionAt } from '../layout/reveal-motion.ts';
import { layoutSubtitle } from '../layout/subtitle-layout.ts';
import { BoardPainter } from './board-painter.ts';
import { drawSubtitle } from './draw-subtitle.ts';
import type { Painting } from './prepare-painting.ts';
import { readPixels } from './read-pixels.ts';
import { RecentMap } from './recent-map.ts';

/** Still boards and subtitles that are kept. One span needs each but once, and spans come in order. */
const KEPT_OVERLAYS = 4;
/** Boards whose cards are kept as bitmaps, one for each window size in use. */
const KEPT_BOARDS = 4;
/** Surfaces to paint on, one for each size in use. */
const KEPT_SURFACES = 6;
/** The sides of a painted part are multiples of this, where the canvas has the room. */
const PATCH_PX = 64;

/** What dims the canvas behind a spotlit card, and how much at most. (R19) */
const VEIL_COLOR = [6, 7, 10] as const;
const VEIL_ALPHA = 0.66;
/** In steps that whoever dims can follow exactly. */
const VEIL_STEPS = 256;

/**
 * Paints on whatever canvas it is given: decides what is painted anew, what is kept and what is only patched. Pixels
 * handed out may be handed out again: do not write to them.
 */
export class CanvasOverlayPainter implements OverlayPainter {
  /** Items that became name cards, characters no font has, texts that were cut. */
  readonly warnings: readonly Issue[];
  readonly #plan: RenderPlan;
  readonly #painting: Painting;
  readonly #boards = new RecentMap<string, BoardPainter>(KEPT_BOARDS);
  readonly #stills = new RecentMap<string, BoardPainting>(KEPT_OVERLAYS);
  readonly #subtitles = new RecentMap<SubtitleLayer, Overlay | null>(KEPT_OVERLAYS);
  /** The last moving board of each window: while a card rests in the spotlight nothing changes. */
  readonly #moving = new Map<BoardWindow, { readonly motion: string; readonly painting: BoardPainting }>();
  readonly #surfaces = new RecentMap<string, Surface>(KEPT_SURFACES);

  constructor(painting: Painting) {
    this.#plan = painting.plan;
    this.#painting = painting;
    this.warnings = painting.warnings;
  }

  board(window: BoardWindow, frame: Frames): BoardPainting | null {
    const scene = this.#plan.board;
    if (scene === null || visiblePart(window.rect, this.#plan.canvas) === null) return null;
    const painter = this.#boards.getOrMake(sizeKey(window.rect), () => {
      const { pictures, tools } = this.#painting;
      const { measure, createSurface } = tools;
      const layout = layoutBoard(scene, boardRoom(window.rect, this.#plan.canvas), measure);
      return new BoardPainter({ scene, theme: this.#plan.theme, layout, pictures, measure, createSurface });
    });
    const rect = visiblePart(moved(painter.bounds, window.rect), this.#plan.canvas);
    if (rect === null) return null;
    const { settled } = revealCountsAt(scene, frame);
    const state = boardStateAt(scene, frame);
    const paint = (part: Rect, draw: (context: Canvas2D) => void): Overlay => ({
      rect: part,
      rgba: this.#paint(part, (context) => {
        context.translate(window.rect.x, window.rect.y);
        draw(context);
      }),
    });
    const stillKey = `${sizeKey(window.rect)}+${window.rect.x}+${window.rect.y}/${settled}`;
    const resting = this.#stills.getOrMake(stillKey, () => {
      const still = paint(rect, (context) => painter.draw(context, { ...state, inFlight: [] }));
      return { still, moving: null, veil: null, front: null };
    });
    if (state.inFlight.length === 0) return resting;

    const stirring = painter.movingPart(state);
    const motions = state.inFlight.map(({ progress }) => motionAt(scene.reveal, progress, stirring !== null));
    const motion = JSON.stringify([settled, motions]);
    const last = this.#moving.get(window);
    if (last?.motion === motion) return last.painting;
    const stirred = stirring && moved(stirring, window.rect);
    const part = stirred && patchOf(stirred, rect, rect);
    const lights = painter.spotlights(state);
    const lit = lights && patchOf(moved(lights.box, window.rect), rect, { ...this.#plan.canvas, x: 0, y: 0 });
    const painting: BoardPainting = {
      still: resting.still,
      moving:
        part &&
        restored(
          paint(part, (context) => painter.draw(context, state)),
          resting.still,
          stirred!,
        ),
      veil:
        lights === null || lights.dim === 0
          ? null
          : { color: VEIL_COLOR, alpha: Math.round(VEIL_ALPHA * lights.dim * VEIL_STEPS) / VEIL_STEPS },
      front: lit && paint(lit, (context) => lights!.draw(context)),
    };
    this.#moving.set(window, { motion, painting });
    return painting;
  }

  subtitle(subtitle: SubtitleLayer): Overlay | null {
    return this.#subtitles.getOrMake(subtitle, () => {
      const layout = layoutSubtitle(subtitle, this.#painting.tools.measure);
      const rect = layout && visiblePart(layout.bounds, this.#plan.canvas);
      if (layout === null || rect === null) return null;
      return { rect, rgba: this.#paint(rect, (context) => drawSubtitle(context, subtitle, layout)) };
    });
  }

  /** The pixels of `rect`, drawn in the canvas's coordinates. A surface serves all paintings of its size. */
  #paint(rect: Rect, draw: (context: Canvas2D) => void): Uint8Array {
    const { width, height } = rect;
    const surface = this.#surfaces.getOrMake(sizeKey(rect), () => this.#painting.tools.createSurface(width, height));
    const { context } = surface;
    context.save();
    context.clearRect(0, 0, width, height);
    context.translate(-rect.x, -rect.y);
    draw(context);
    context.restore();
    return readPixels(surface);
  }
}

/**
 * The part of a board that is painted for a box in it, within `limits`. It begins at a multiple of 8 pixels from the board's own
 * corner, since Skia's dithering goes by place; and it has one of few sizes, for each of which a surface is kept.
 */
function patchOf(box: Box, board: Rect, limits: Rect): Rect | null {
  const x = Math.max(limits.x, board.x + Math.floor((box.x - board.x) / 8) * 8);
  const y = Math.max(limits.y, board.y + Math.floor((box.y - board.y) / 8) * 8);
  const width = Math.min(limits.x + limits.width - x, Math.ceil((box.x + box.width - x) / PATCH_PX) * PATCH_PX);
  const height = Math.min(limits.y + limits.height - y, Math.ceil((box.y + box.height - y) / PATCH_PX) * PATCH_PX);
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}

/**
 * The part of a board with the rows above and below what moves as they are in the still one: Skia draws an edge a little
 * differently where the surface cuts it off.
 */
function restored(part: Overlay, still: Overlay, moves: Box): Overlay {
  const rowBytes = part.rect.width * 4;
  for (let row = 0; row < part.rect.height; row += 1) {
    const y = part.rect.y + row;
    if (y >= Math.floor(moves.y) && y < Math.ceil(moves.y + moves.height)) continue;
    const from = ((y - still.rect.y) * still.rect.width + part.rect.x - still.rect.x) * 4;
    part.rgba.set(still.rgba.subarray(from, from + rowBytes), row * rowBytes);
  }
  return part;
}

/** One layout serves all windows of a size. */
function sizeKey({ width, height }: Rect): string {
  return `${width}x${height}`;
}
