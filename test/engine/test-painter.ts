import type { Rect } from '../../src/plan/model/canvas.ts';
import type { PaintedKind } from '../../src/plan/model/painted-layers.ts';
import type { PaintedPicture, Painter, Painting } from '../../src/plan/model/painter.ts';
import type { RenderPlan } from '../../src/plan/model/render-plan.ts';
import { eventsAt } from '../../src/plan/reveal/board-state.ts';
import type { Frames } from '../../src/time.ts';
import { NO_PAINTER } from './no-painter.ts';

type Rgba = readonly [red: number, green: number, blue: number, alpha: number];

/** One colour all over. */
export function flatPainted(rect: Rect, color: Rgba): PaintedPicture {
  const rgba = new Uint8Array(rect.width * rect.height * 4);
  const [red, green, blue, alpha] = color;
  const multiplied = [red, green, blue].map((channel) => Math.round((channel * alpha) / 255));
  for (let at = 0; at < rgba.length; at += 4) rgba.set([...multiplied, alpha], at);
  return { rect, rgba };
}

/** A board in one part. */
export function resting(still: PaintedPicture): Painting {
  return { still, isInPlace: true, moving: null, front: null };
}

/** By kind of layer, from its place and a frame. What is left out is not to be seen. */
type Paintings = Partial<Readonly<Record<PaintedKind, (rect: Rect, frame: Frames) => Painting | null>>>;

/** A painter that returns the given results. */
export function painterOf(paintings: Paintings): Painter {
  return {
    paint: (kind, { rect }, frame) => paintings[kind]?.(rect, frame) ?? null,
    clipFrame: () => ({ shadow: null, border: null }),
    ground: () => NO_PAINTER.ground(),
  };
}

/**
 * Boards that change with every frame while something moves and with every reveal, subtitles at odd places: all that the
 * engine must cope with.
 */
export function testPainter({ board }: RenderPlan): Painter {
  return painterOf({
    board: ({ x, y, width, height }, frame) => {
      const { started, settled } = eventsAt(board!, frame);
      const shade = started > settled ? frame % 256 : 20 * settled;
      return resting(flatPainted({ x, y, width, height }, [shade, 255 - shade, 90, 180]));
    },
    subtitle: ({ x, y, width, height }) => {
      const rect = { x: x + 1, y: y + 1, width: width - 3, height: height - 3 };
      return resting(flatPainted(rect, [250, 240, 20, 255]));
    },
  });
}
