import type { Issue } from '../../errors.ts';
import { type BoardState, boardStateAt, eventCountsAt } from '../../plan/board-state.ts';
import { type Presence, presenceAt } from '../../plan/envelope/picture-envelope.ts';
import type { BoardPainting, ClipFrame, Overlay, OverlayPainter } from '../../plan/overlay-painter.ts';
import type { BoardWindow, ClipLook, Rect, RenderPlan, SubtitleLayer } from '../../plan/render-plan.ts';
import { motionAt } from '../../plan/reveal/event-styles.ts';
import type { Frames } from '../../time.ts';
import type { Canvas2D, Surface } from '../canvas-2d.ts';
import { boardRoom, layoutBoard } from '../layout/board-layout.ts';
import { type Box, grown, moved, visiblePart } from '../layout/box.ts';
import { layoutSubtitle } from '../layout/subtitle-layout.ts';
import { wordBoxes } from '../layout/word-boxes.ts';
import { presentOverlay } from '../pixels/present-overlay.ts';
import { BoardPainter } from './board-painter.ts';
import { clipBorder, clipShadow } from './clip-frame.ts';
import { drawProgressBar } from './draw-progress-bar.ts';
import { drawSubtitle } from './draw-subtitle.ts';
import type { Painting } from './prepare-painting.ts';
import { readPixels } from './read-pixels.ts';
import { RecentMap } from './recent-map.ts';

/** Still boards and subtitles that are kept. One span needs each but once, and spans come in order. */
const KEPT_OVERLAYS = 4;
/** Boards whose cards are kept as bitmaps, one for each window size in use. */
const KEPT_BOARDS = 4;
/** Surfaces to paint on, of as many sizes. */
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
  /** With so many of their words spoken as they were last. */
  readonly #subtitles = new RecentMap<SubtitleLayer, { count: number; text: Overlay | null }>(KEPT_OVERLAYS);
  /** The last moving board of each window: while a card rests in the spotlight nothing changes. */
  readonly #moving = new RecentMap<BoardWindow, { last: { motion: string; painting: BoardPainting } | null }>(
    KEPT_OVERLAYS,
  );
  readonly #framed = new WeakMap<ClipLook, ClipFrame>();
  #bar: { readonly filled: number; readonly overlay: Overlay } | null = null;
  /** Used longest ago first. */
  readonly #surfaces: Surface[] = [];

  constructor(painting: Painting) {
    this.#plan = painting.plan;
    this.#painting = painting;
    this.warnings = painting.warnings;
  }

  board(window: BoardWindow, frame: Frames): BoardPainting | null {
    const painting = this.#board(window, frame);
    const presence = presenceAt(window, frame, window.rect, this.#plan.canvas);
    if (painting === null || presence === null) return painting;
    const still = this.#present(joined(painting), presence);
    if (still === null) return null;
    const { veil, front } = painting;
    return {
      still,
      isInPlace: false,
      moving: null,
      veil: veil && { ...veil, alpha: stepped(veil.alpha * presence.opacity) },
      front: front && this.#present(front, presence),
    };
  }

  /** The board in its place. */
  #board(window: BoardWindow, frame: Frames): BoardPainting | null {
    const scene = this.#plan.board;
    if (scene === null || visiblePart(window.rect, this.#plan.canvas) === null) return null;
    const painter = this.#boards.getOrMake(sizeKey(window.rect), () => {
      const { pictures, tools } = this.#painting;
      const { measure, createSurface } = tools;
      const layout = layoutBoard(scene, boardRoom(window.rect, this.#plan.canvas, this.#plan.theme), measure);
      return new BoardPainter({ scene, theme: this.#plan.theme, layout, pictures, measure, createSurface });
    });
    const rect = visiblePart(moved(painter.bounds, window.rect), this.#plan.canvas);
    if (rect === null) return null;
    const { settled } = eventCountsAt(scene, frame);
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
      return { still, isInPlace: true, moving: null, veil: null, front: null };
    });
    if (state.inFlight.length === 0) return resting;

    const stirring = painter.movingPart(state);
    const motions = state.inFlight.map(({ event, progress }) => motionAt(event.style, progress, stirring !== null));
    const motion = JSON.stringify([settled, motions]);
    const kept = this.#moving.getOrMake(window, () => ({ last: null }));
    if (kept.last?.motion === motion) return kept.last.painting;
    const front = painter.front(state);
    const inFront = front && patchOf(moved(front.box, window.rect), rect, { ...this.#plan.canvas, x: 0, y: 0 });
    const painting: BoardPainting = {
      ...this.#stirred(window, painter, state, resting.still, stirring, paint),
      veil: front === null || front.dim === 0 ? null : { color: VEIL_COLOR, alpha: stepped(VEIL_ALPHA * front.dim) },
      front: inFront && paint(inFront, (context) => front!.draw(context)),
    };
    kept.last = { motion, painting };
    return painting;
  }

  /** The still board and what differs from it; all of it anew where it is shaken. */
  #stirred(
    window: BoardWindow,
    painter: BoardPainter,
    state: BoardState,
    still: Overlay,
    stirring: Box | null,
    paint: (part: Rect, draw: (context: Canvas2D) => void) => Overlay,
  ): Pick<BoardPainting, 'still' | 'isInPlace' | 'moving'> {
    const { x, y } = painter.shake(state);
    if (x !== 0 || y !== 0) {
      // Of one size however far it is shaken.
      const rect = visiblePart(moved(grown(painter.bounds, painter.shakePx), window.rect), this.#plan.canvas)!;
      const shaken = paint(rect, (context) => {
        context.translate(x, y);
        painter.draw(context, state);
      });
      return { still: shaken, isInPlace: false, moving: null };
    }
    const stirred = stirring && moved(stirring, window.rect);
    const part = stirred && patchOf(stirred, still.rect, still.rect);
    const moving = part && paint(part, (context) => painter.draw(context, state));
    return { still, isInPlace: true, moving: moving && restored(moving, still, stirred!) };
  }

  subtitle(subtitle: SubtitleLayer, frame: Frames): Overlay | null {
    const { measure } = this.#painting.tools;
    const count = subtitle.words.filter(({ at }) => at <= frame).length;
    const paint = (): Overlay | null => {
      const layout = layoutSubtitle(subtitle, measure);
      const rect = layout && visiblePart(layout.bounds, this.#plan.canvas);
      if (layout === null || rect === null) return null;
      const spoken = subtitle.words.length === 0 ? null : { boxes: wordBoxes(subtitle, layout, measure), count };
      return { rect, rgba: this.#paint(rect, (context) => drawSubtitle(context, subtitle, layout, spoken)) };
    };
    const kept = this.#subtitles.getOrMake(subtitle, () => ({ count, text: paint() }));
    if (kept.count !== count) {
      kept.text = paint();
      kept.count = count;
    }
    const { text } = kept;
    const presence = presenceAt(subtitle, frame, subtitle.rect, this.#plan.canvas);
    return text === null || presence === null ? text : this.#present(text, presence);
  }

  #present(overlay: Overlay, presence: Presence): Overlay | null {
    return presentOverlay(overlay, presence, this.#plan.canvas, this.#painting.tools.straightAlpha === true);
  }

  progress(frame: Frames): Overlay | null {
    const { progressBar, totalFrames } = this.#plan;
    if (progressBar === null) return null;
    const { rect } = progressBar;
    // By two pixels, which share a sample of colour: so it grows less often, and its end is sharp.
    const filled = 2 * Math.round((rect.width * (frame + 1)) / totalFrames / 2);
    if (this.#bar?.filled === filled) return this.#bar.overlay;
    const rgba = this.#paint(rect, (context) => drawProgressBar(context, rect, filled));
    this.#bar = { filled, overlay: { rect, rgba } };
    return this.#bar.overlay;
  }

  clipFrame(look: ClipLook): ClipFrame {
    const paint = (part: ReturnType<typeof clipShadow>): Overlay | null => {
      const rect = part && visiblePart(part.box, this.#plan.canvas);
      return rect && { rect, rgba: this.#paint(rect, part!.draw) };
    };
    let framed = this.#framed.get(look);
    if (framed === undefined) {
      framed = { shadow: paint(clipShadow(look)), border: paint(clipBorder(look)) };
      this.#framed.set(look, framed);
    }
    return framed;
  }

  /** The pixels of `rect`, drawn in the canvas's coordinates. A surface serves all paintings of its size. */
  #paint(rect: Rect, draw: (context: Canvas2D) => void): Uint8Array {
    const { width, height } = rect;
    const surface = this.#surface(width, height);
    const { context } = surface;
    context.save();
    context.clearRect(0, 0, width, height);
    context.translate(-rect.x, -rect.y);
    draw(context);
    context.restore();
    return readPixels(surface);
  }

  #surface(width: number, height: number): Surface {
    const known = this.#surfaces.findIndex(({ bitmap }) => bitmap.width === width && bitmap.height === height);
    const [last] =
      known >= 0 || this.#surfaces.length === KEPT_SURFACES ? this.#surfaces.splice(Math.max(0, known), 1) : [];
    const isOther = last !== undefined && known < 0;
    if (isOther) last.resize?.(width, height);
    const surface =
      last === undefined || (isOther && last.resize === undefined)
        ? this.#painting.tools.createSurface(width, height)
        : last;
    this.#surfaces.push(surface);
    return surface;
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

/** The board as one picture, without what stands in front of it. */
function joined({ still, moving }: BoardPainting): Overlay {
  if (moving === null) return still;
  const rgba = new Uint8Array(still.rgba);
  for (let row = 0; row < moving.rect.height; row += 1) {
    const from = row * moving.rect.width * 4;
    const to = ((moving.rect.y + row - still.rect.y) * still.rect.width + moving.rect.x - still.rect.x) * 4;
    rgba.set(moving.rgba.subarray(from, from + moving.rect.width * 4), to);
  }
  return { rect: still.rect, rgba };
}

function stepped(alpha: number): number {
  return Math.round(alpha * VEIL_STEPS) / VEIL_STEPS;
}

/** One layout serves all windows of a size. */
function sizeKey({ width, height }: Rect): string {
  return `${width}x${height}`;
}
