import { RecentMap } from '../../../collections/recent-map.ts';
import { type BoardState, boardStateAt, eventsAt } from '../../../plan/board-state.ts';
import type { BoardWindow } from '../../../plan/layers/painted-layers.ts';
import type { Overlay, Painting, Shift } from '../../../plan/overlay-painter.ts';
import { coveredShare, nearestEven } from '../../../plan/place/canvas-rect.ts';
import { referenceScale } from '../../../plan/place/canvas-shape.ts';
import type { Rect } from '../../../plan/rect.ts';
import type { Canvas } from '../../../plan/render-plan.ts';
import { motionAt, shakeAt } from '../../../plan/reveal/event-styles.ts';
import type { Frames } from '../../../time.ts';
import type { Canvas2D } from '../../canvas-2d.ts';
import { boardRoom, layoutBoard } from '../../layout/board-layout.ts';
import { type Box, translated, visiblePart } from '../../layout/box.ts';
import { steppedVeil } from '../../pixels/present-painting.ts';
import { BoardPainter } from '../board-painter.ts';
import { atRest, KEPT_OVERLAYS, type LayerPainter, type LayerTools } from './layer-painter.ts';

/** Boards whose cards are kept as bitmaps, one for each window size in use. */
const KEPT_BOARDS = 4;
/** Of all boards at rest that are kept: at 4K, four would take up to 130 MB. */
const MAX_KEPT_PIXELS = KEPT_OVERLAYS * 1920 * 1080;
/** The sides of a painted part are multiples of this, where the canvas has the room. */
const PATCH_PX = 64;

/** The colour that dims the canvas behind a spotlit card, and its greatest opacity. (R19) */
const VEIL_COLOR = [6, 7, 10] as const;
const VEIL_ALPHA = 0.66;
/** A board that covers less of the canvas than this dims less: the picture beside it should stay visible. (R27) */
const COVERED = 0.7;
const VEIL_ALPHA_BESIDE = 0.4;
/** How far everything behind a slam is shaken, where the canvas's shorter side has 1080 pixels. (R30) */
const SHAKE_PX = 18;

/** Windows onto the board: decides which parts are painted again, kept or patched. */
export class BoardWindows implements LayerPainter<'board'> {
  readonly #tools: LayerTools;
  readonly #boards = new RecentMap<string, BoardPainter>(KEPT_BOARDS);
  readonly #stills = new RecentMap<string, Painting>(KEPT_OVERLAYS, {
    sizeOf: ({ still: { rect } }) => rect.width * rect.height,
    max: MAX_KEPT_PIXELS,
  });

  /** The last moving board of each visible window: while a card rests in the spotlight it does not change. */
  readonly #moving = new RecentMap<BoardWindow, { last: { motion: string; painting: Painting } | null }>(KEPT_OVERLAYS);

  constructor(tools: LayerTools) {
    this.#tools = tools;
  }

  paint(window: BoardWindow, frame: Frames): Painting | null {
    const { plan, pictures, tools } = this.#tools.prepared;
    const { board: scene, canvas, theme } = plan;
    if (scene === null || visiblePart(window.rect, canvas) === null) return null;
    const painter = this.#boards.getOrMake(sizeKey(window.rect), () => {
      const { measure, createSurface } = tools;
      const layout = layoutBoard(scene, boardRoom(window.rect, canvas, theme), measure);
      return new BoardPainter({ scene, theme, layout, pictures, measure, createSurface });
    });
    const rect = visiblePart(translated(painter.bounds, window.rect), canvas);
    if (rect === null) return null;
    const { settled } = eventsAt(scene, frame);
    const state = boardStateAt(scene, frame);
    const paint = (part: Rect, draw: (context: Canvas2D) => void): Overlay => ({
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
    if (state.inFlight.length === 0 && state.confetti.length === 0) return resting;

    const stirring = painter.movingPart(state);
    const motions = state.inFlight.map(({ event, clock }) => motionAt(event.style, clock, stirring !== null));
    const bursts = state.confetti.map(({ event, seconds }) => [event.item, seconds]);
    const motion = JSON.stringify([settled, painter.landed(state), motions, bursts]);
    this.#moving.keep((other) => other === window || (other.shows.start <= frame && frame < other.shows.end));
    const kept = this.#moving.getOrMake(window, () => ({ last: null }));
    if (kept.last?.motion === motion) return kept.last.painting;
    const front = painter.front(state);
    const inFront = front && patchOf(translated(front.box, window.rect), rect, { ...canvas, x: 0, y: 0 });
    const painting: Painting = {
      ...this.#stirred(window, painter, state, resting.still, stirring, paint),
      veil:
        front === null || front.dim === 0
          ? null
          : { color: VEIL_COLOR, alpha: steppedVeil(veilAlpha(window.rect, canvas) * front.dim) },
      front: inFront && paint(inFront, (context) => front!.draw(context)),
      shake: shakeOf(state, canvas),
    };
    kept.last = { motion, painting };
    return painting;
  }

  /** The still board and its differences. */
  #stirred(
    window: BoardWindow,
    painter: BoardPainter,
    state: BoardState,
    still: Overlay,
    stirring: Box | null,
    paint: (part: Rect, draw: (context: Canvas2D) => void) => Overlay,
  ): Pick<Painting, 'still' | 'isInPlace' | 'moving'> {
    const stirred = stirring && translated(stirring, window.rect);
    const part = stirred && patchOf(stirred, still.rect, still.rect);
    const moving = part && paint(part, (context) => painter.draw(context, state));
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

/** How far slams push the canvas out of its place; null: they do not. */
function shakeOf({ inFlight }: BoardState, canvas: Canvas): Shift | null {
  const max = SHAKE_PX * referenceScale(canvas);
  const shares = inFlight.map(({ event, clock }) => shakeAt(event.style, clock));
  const along = (axis: 'x' | 'y') => {
    const share = shares.reduce((sum, each) => sum + each[axis], 0);
    return nearestEven(Math.min(1, Math.max(-1, share)) * max);
  };
  const shake = { x: along('x'), y: along('y') };
  return shake.x === 0 && shake.y === 0 ? null : shake;
}

function veilAlpha(window: Rect, canvas: Canvas): number {
  return coveredShare({ ...canvas, x: 0, y: 0 }, window) < COVERED ? VEIL_ALPHA_BESIDE : VEIL_ALPHA;
}

/** One layout serves all windows of a size. */
function sizeKey({ width, height }: Rect): string {
  return `${width}x${height}`;
}
