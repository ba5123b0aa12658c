import { RecentMap } from '../../../collections.ts';
import type { Rect } from '../../../plan/model/canvas.ts';
import type { BoardWindow } from '../../../plan/model/painted-layers.ts';
import type { PaintedPicture, Painting } from '../../../plan/model/painter.ts';
import { type BoardState, boardStateAt, eventsAt } from '../../../plan/reveal/board-state.ts';
import { motionAt } from '../../../plan/reveal/event-styles.ts';
import { lookOf } from '../../../plan/theme/theme-looks.ts';
import type { Frames } from '../../../time.ts';
import { type Box, translated, visiblePart } from '../../boxes.ts';
import type { Canvas2D } from '../../canvas-2d.ts';
import { boardRoom, layoutBoard } from '../../layout/board-layout.ts';
import { BoardPainter } from './board-painter.ts';
import { atRest, KEPT_PAINTINGS, type LayerPainter, type LayerTools } from './layer-painter.ts';

/** Boards whose cards are kept as bitmaps, one for each window size in use. */
const KEPT_BOARDS = 4;
/** Of all boards at rest that are kept: at 4K, four would take up to 130 MB. */
const MAX_KEPT_PIXELS = KEPT_PAINTINGS * 1920 * 1080;
/** The sides of a painted part are multiples of this, where the canvas has the room. */
const PATCH_PX = 64;

/** Windows onto the board: decides which parts are painted again, kept or patched. */
export class BoardWindows implements LayerPainter<'board'> {
  readonly #tools: LayerTools;
  readonly #boards = new RecentMap<string, BoardPainter>(KEPT_BOARDS);
  readonly #stills = new RecentMap<string, Painting>(KEPT_PAINTINGS, {
    sizeOf: ({ still: { rect } }) => rect.width * rect.height,
    max: MAX_KEPT_PIXELS,
  });

  /** The last moving board of each visible window: while a card rests in the spotlight it does not change. */
  readonly #moving = new RecentMap<BoardWindow, { last: { motion: string; painting: Painting } | null }>(
    KEPT_PAINTINGS,
  );

  constructor(tools: LayerTools) {
    this.#tools = tools;
  }

  paint(window: BoardWindow, frame: Frames): Painting | null {
    const { plan, pictures, tools } = this.#tools.prepared;
    const { board: scene, canvas, theme } = plan;
    if (scene === null || visiblePart(window.rect, canvas) === null) return null;
    const painter = this.#boards.getOrMake(sizeKey(window.rect), () => {
      const { measure, createSurface, kept } = tools;
      const layout = layoutBoard(scene, boardRoom(window.rect, canvas, theme), measure);
      return new BoardPainter({ scene, theme, layout, pictures, measure, createSurface, kept: kept?.cards });
    });
    const rect = visiblePart(translated(painter.bounds, window.rect), canvas);
    if (rect === null) return null;
    const { settled } = eventsAt(scene, frame);
    const state = boardStateAt(scene, frame, lookOf(theme).motion);
    const paint = (part: Rect, draw: (context: Canvas2D) => void): PaintedPicture => ({
      rect: part,
      rgba: this.#tools.surfaces.paint(part, (context) => {
        context.translate(window.rect.x, window.rect.y);
        draw(context);
      }),
    });
    const stillKey = `${sizeKey(window.rect)}+${window.rect.x}+${window.rect.y}/${settled}`;
    const resting = this.#stills.getOrMake(stillKey, () => {
      const still = paint(rect, (context) => painter.draw(context, { ...state, inFlight: [] }));
      return atRest(still);
    });
    if (tools.drawsAhead === true && state.inFlight.length === 0) painter.prepareNext(frame);
    if (state.inFlight.length === 0 && state.confetti.length === 0) return resting;

    const stirring = painter.movingPart(state);
    const motions = state.inFlight.map(({ event, clock }) => motionAt(event.style, clock, stirring !== null));
    const bursts = state.confetti.map(({ event, seconds }) => [event.item, seconds]);
    const motion = JSON.stringify([settled, painter.landed(state), motions, bursts]);
    this.#moving.keep((other) => other === window || (other.shows.start <= frame && frame < other.shows.end));
    const kept = this.#moving.getOrMake(window, () => ({ last: null }));
    if (kept.last?.motion === motion) {
      if (tools.drawsAhead === true) painter.prepareVerdict(state);
      return kept.last.painting;
    }
    const front = painter.front(state);
    const inFront = front && patchOf(translated(front.box, window.rect), rect, { ...canvas, x: 0, y: 0 });
    const painting: Painting = {
      ...this.#stirred(window, painter, state, resting.still, stirring, paint),
      front: inFront && paint(inFront, (context) => front!.draw(context)),
      release: () => {
        if (kept.last?.painting === painting) kept.last = null;
        for (const part of [painting.moving, painting.front]) if (part !== null) this.#tools.surfaces.free(part.rgba);
      },
    };
    kept.last = { motion, painting };
    return painting;
  }

  /** The still board and its differences. */
  #stirred(
    window: BoardWindow,
    painter: BoardPainter,
    state: BoardState,
    still: PaintedPicture,
    stirring: Box | null,
    paint: (part: Rect, draw: (context: Canvas2D) => void) => PaintedPicture,
  ): Pick<Painting, 'still' | 'isInPlace' | 'moving'> {
    const stirred = stirring && translated(stirring, window.rect);
    const part = stirred && patchOf(stirred, still.rect, still.rect);
    const { x, y } = window.rect;
    const moving = part && paint(part, (context) => painter.draw(context, state, translated(part, { x: -x, y: -y })));
    return { still, isInPlace: true, moving: moving && restored(moving, still, stirred!) };
  }
}

/**
 * The part of a board that is painted for a box in it, within `limits`. It begins at a multiple of 8 pixels from the
 * board's corner, since Skia's dithering depends on the position; and it has one of few sizes, each with its own
 * surface.
 */
function patchOf(box: Box, board: Rect, limits: Rect): Rect | null {
  const x = Math.max(limits.x, board.x + Math.floor((box.x - board.x) / 8) * 8);
  const y = Math.max(limits.y, board.y + Math.floor((box.y - board.y) / 8) * 8);
  const width = Math.min(limits.x + limits.width - x, Math.ceil((box.x + box.width - x) / PATCH_PX) * PATCH_PX);
  const height = Math.min(limits.y + limits.height - y, Math.ceil((box.y + box.height - y) / PATCH_PX) * PATCH_PX);
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}

/**
 * The part of a board whose rows above and below the motion are those of the still one: Skia draws an edge slightly
 * differently where the surface cuts it off.
 */
function restored(part: PaintedPicture, still: PaintedPicture, moves: Box): PaintedPicture {
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
