import type { Issue } from '../../errors.ts';
import { DEFAULT_IMAGE_LIMITS, type ImageLimits } from '../../image-header/image-header.ts';
import { type BoardState, boardStateAt, revealCountsAt } from '../../plan/board-state.ts';
import type { Overlay, OverlayPainter } from '../../plan/overlay-painter.ts';
import type { BoardWindow, Rect, RenderPlan, SubtitleLayer } from '../../plan/render-plan.ts';
import type { Frames } from '../../time.ts';
import type { Bitmap, Canvas2D } from '../canvas-2d.ts';
import { type BoardRoom, layoutBoard, minTextPx } from '../layout/board-layout.ts';
import type { Box } from '../layout/box.ts';
import { motionAt } from '../layout/reveal-motion.ts';
import { layoutSubtitle } from '../layout/subtitle-layout.ts';
import type { MeasureText } from '../layout/text-measure.ts';
import { textWarnings } from '../layout/text-warnings.ts';
import { createSkiaMeasure, createSkiaSurface, readPixels, type SkiaSurface } from '../skia/skia.ts';
import { BoardPainter } from './board-painter.ts';
import { drawSubtitle } from './draw-subtitle.ts';
import { loadItemPictures } from './item-pictures.ts';
import { RecentMap } from './recent-map.ts';

/** What painting a plan takes. */
export interface PaintingOrder {
  readonly plan: RenderPlan;
  /** Where each upload lies, by its `file_field`. */
  readonly files: ReadonlyMap<string, string>;
  readonly limits?: ImageLimits;
  readonly signal?: AbortSignal;
}

/** Still boards and subtitles that are kept. One span needs each but once, and spans come in order. */
const KEPT_OVERLAYS = 4;
/** Boards whose cards are kept as bitmaps, one for each window size in use. */
const KEPT_BOARDS = 4;
/** Windows, the largest first, that are asked how large their pictures should be. */
const SIZED_WINDOWS = 8;

/**
 * Paints with Skia. All files are read and every picture is decoded before the first frame, one after the other, so a
 * plan's pictures cost little memory and painting never waits. Pixels handed out may be handed out again: do not write
 * to them. Skia's buffers are given back when the event loop turns: whoever paints frame after frame should let it.
 */
export class SkiaOverlayPainter implements OverlayPainter {
  /** Items that became name cards, characters no font has, texts that were cut. */
  readonly warnings: readonly Issue[];
  readonly #plan: RenderPlan;
  readonly #measure: MeasureText;
  readonly #pictures: readonly (Bitmap | null)[];
  readonly #boards = new RecentMap<string, BoardPainter>(KEPT_BOARDS);
  readonly #stills = new RecentMap<string, Overlay>(KEPT_OVERLAYS);
  readonly #subtitles = new RecentMap<SubtitleLayer, Overlay | null>(KEPT_OVERLAYS);
  /** The last moving board of each window: while a card rests in the spotlight nothing changes. */
  readonly #moving = new Map<BoardWindow, { readonly motion: string; readonly overlay: Overlay }>();
  #surface: SkiaSurface | undefined;

  private constructor(
    plan: RenderPlan,
    measure: MeasureText,
    pictures: readonly (Bitmap | null)[],
    warnings: readonly Issue[],
  ) {
    this.#plan = plan;
    this.#measure = measure;
    this.#pictures = pictures;
    this.warnings = warnings;
  }

  /** Reads and decodes; an item whose picture cannot be had becomes a card with its name, and a warning. (R12) */
  static async create(order: PaintingOrder): Promise<SkiaOverlayPainter> {
    const { plan, files, limits = DEFAULT_IMAGE_LIMITS, signal } = order;
    const { board: scene } = plan;
    const measure = createSkiaMeasure();
    const warnings = textWarnings(plan);
    if (scene === null) return new SkiaOverlayPainter(plan, measure, [], warnings);
    const layouts = distinctSizes(plan)
      .slice(0, SIZED_WINDOWS)
      .map((size) => layoutBoard(scene, roomOf(size, plan), measure));
    const pictures = await loadItemPictures({ plan, scene, layouts, files, limits, signal }, warnings);
    return new SkiaOverlayPainter(plan, measure, pictures, warnings);
  }

  board(window: BoardWindow, frame: Frames): Overlay | null {
    const scene = this.#plan.board;
    if (scene === null || visiblePart(window.rect, this.#plan.canvas) === null) return null;
    const painter = this.#boards.getOrMake(sizeKey(window.rect), () => {
      const layout = layoutBoard(scene, roomOf(window.rect, this.#plan), this.#measure);
      const parts = { pictures: this.#pictures, measure: this.#measure, createSurface: createSkiaSurface };
      return new BoardPainter({ scene, layout, ...parts });
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
      const layout = layoutSubtitle(subtitle, this.#measure);
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
      this.#surface = createSkiaSurface(
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

function moved(box: Box, by: { readonly x: number; readonly y: number }): Box {
  return { ...box, x: box.x + by.x, y: box.y + by.y };
}

/** The sizes of the windows that are ever seen, largest first. */
function distinctSizes({ windows, canvas }: RenderPlan): Rect[] {
  const seen = windows.map(({ rect }) => rect).filter((rect) => visiblePart(rect, canvas) !== null);
  const bySize = new Map(seen.map((rect) => [sizeKey(rect), rect]));
  return [...bySize.values()].sort((a, b) => b.width * b.height - a.width * a.height);
}

function roomOf({ width, height }: Rect, { canvas }: RenderPlan): BoardRoom {
  return { width, height, minTextPx: minTextPx(canvas) };
}

function sizeKey({ width, height }: Rect): string {
  return `${width}x${height}`;
}

/** What of a box is on the canvas, in whole pixels; null where nothing is. */
function visiblePart(box: Box, canvas: { readonly width: number; readonly height: number }): Rect | null {
  const x = Math.max(0, Math.floor(box.x));
  const y = Math.max(0, Math.floor(box.y));
  const width = Math.min(canvas.width, Math.ceil(box.x + box.width)) - x;
  const height = Math.min(canvas.height, Math.ceil(box.y + box.height)) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}
