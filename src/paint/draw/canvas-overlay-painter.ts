import type { Issue } from '../../errors.ts';
import { type BoardState, boardStateAt, revealCountsAt } from '../../plan/board-state.ts';
import type { Overlay, OverlayPainter } from '../../plan/overlay-painter.ts';
import type { BoardWindow, Rect, RenderPlan, SubtitleLayer } from '../../plan/render-plan.ts';
import type { Frames } from '../../time.ts';
import type { Canvas2D, Surface } from '../canvas-2d.ts';
import { boardRoom, layoutBoard } from '../layout/board-layout.ts';
import { moved, visiblePart } from '../layout/box.ts';
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
  readonly #stills = new RecentMap<string, Overlay>(KEPT_OVERLAYS);
  readonly #subtitles = new RecentMap<SubtitleLayer, Overlay | null>(KEPT_OVERLAYS);
  /** The last moving board of each window: while a card rests in the spotlight nothing changes. */
  readonly #moving = new Map<BoardWindow, { readonly motion: string; readonly overlay: Overlay }>();
  #surface: Surface | undefined;

  constructor(painting: Painting) {
    this.#plan = painting.plan;
    this.#painting = painting;
    this.warnings = painting.warnings;
  }

  board(window: BoardWindow, frame: Frames): Overlay | null {
    const scene = this.#plan.board;
    if (scene === null || visiblePart(window.rect, this.#plan.canvas) === null) return null;
    const painter = this.#boards.getOrMake(sizeKey(window.rect), () => {
      const { pictures, tools } = this.#painting;
      const { measure, createSurface } = tools;
      const layout = layoutBoard(scene, boardRoom(window.rect, this.#plan.canvas), measure);
      return new BoardPainter({ scene, layout, pictures, measure, createSurface });
    });
    const rect = visiblePart(moved(painter.bounds, window.rect), this.#plan.canvas);
    if (rect === null) return null;
    const { settled } = revealCountsAt(scene, frame);
    const state = boardStateAt(scene, frame);
    const paint = (shown: BoardState, part: Rect) =>
      this.#paint(rect, part, (context) => {
        context.translate(window.rect.x, window.rect.y);
        painter.draw(context, shown);
      });
    const stillKey = `${sizeKey(window.rect)}+${window.rect.x}+${window.rect.y}/${settled}`;
    const still = () =>
      this.#stills.getOrMake(stillKey, () => ({ rect, rgba: paint({ ...state, inFlight: [] }, rect) }));
    if (state.inFlight.length === 0) return still();

    const motion = `${settled}: ${state.inFlight.map(({ progress }) => motionAt(scene.reveal, progress).join(' ')).join(', ')}`;
    const last = this.#moving.get(window);
    if (last?.motion === motion) return last.overlay;
    // Mostly a row or two move: those are painted, the rest is taken from the still board.
    const part = visiblePart(moved(painter.movingPart(state), window.rect), this.#plan.canvas);
    const whole = part?.width === rect.width && part.height === rect.height;
    const rgba = whole ? paint(state, rect) : patched(still(), part, () => paint(state, part!));
    const overlay = { rect, rgba };
    this.#moving.set(window, { motion, overlay });
    return overlay;
  }

  subtitle(subtitle: SubtitleLayer): Overlay | null {
    return this.#subtitles.getOrMake(subtitle, () => {
      const layout = layoutSubtitle(subtitle, this.#painting.tools.measure);
      const rect = layout && visiblePart(layout.bounds, this.#plan.canvas);
      if (layout === null || rect === null) return null;
      const rgba = this.#paint(rect, rect, (context) => drawSubtitle(context, subtitle, layout));
      return { rect, rgba };
    });
  }

  /**
   * The pixels of `part` of an overlay at `rect`, drawn in the canvas's coordinates. One surface serves all paintings: it
   * grows to the largest and is wiped in between. A part is drawn where it lies in the whole, since Skia's dithering
   * goes by place.
   */
  #paint(rect: Rect, part: Rect, draw: (context: Canvas2D) => void): Uint8Array {
    const before = this.#surface?.bitmap;
    if (this.#surface === undefined || before!.width < rect.width || before!.height < rect.height) {
      this.#surface = this.#painting.tools.createSurface(
        Math.max(rect.width, before?.width ?? 0),
        Math.max(rect.height, before?.height ?? 0),
      );
    }
    const { context } = this.#surface;
    const { width, height } = part;
    const [x, y] = [part.x - rect.x, part.y - rect.y];
    context.save();
    context.beginPath();
    context.rect(x, y, width, height);
    context.clip();
    context.clearRect(x, y, width, height);
    context.translate(-rect.x, -rect.y);
    draw(context);
    context.restore();
    return readPixels(this.#surface, { x, y, width, height });
  }
}

/** A copy of an overlay's pixels with one part painted anew. */
function patched({ rect, rgba }: Overlay, part: Rect | null, paint: () => Uint8Array): Uint8Array {
  if (part === null) return rgba;
  const result = rgba.slice();
  const pixels = paint();
  for (let row = 0; row < part.height; row += 1) {
    const at = ((part.y - rect.y + row) * rect.width + part.x - rect.x) * 4;
    result.set(pixels.subarray(row * part.width * 4, (row + 1) * part.width * 4), at);
  }
  return result;
}

/** One layout serves all windows of a size. */
function sizeKey({ width, height }: Rect): string {
  return `${width}x${height}`;
}
