import { ExportError, type Issue } from '../../errors.ts';
import { boardEffects } from '../../plan/frame/frame-at.ts';
import type { Frames } from '../../time.ts';
import { flattenedBoard } from '../pixels/flattened-board.ts';
import { straight } from '../pixels/straight-alpha.ts';
import { createSkiaSurface } from './skia.ts';
import { type PaintingOrder, SkiaPainter } from './skia-painter.ts';

/** For JPEG and WebP: a lower value is visible at once on sharp edges. */
const QUALITY = 92;

/** A board as a picture file. */
interface BoardPicture {
  readonly picture: Buffer;
  readonly width: number;
  readonly height: number;
  readonly warnings: readonly Issue[];
}

/**
 * The board at `frame`, alone and with its transparency, in the size of the window that shows it then (the first one if
 * none does).
 *
 * @throws `paint.no_board` if the plan never shows one.
 */
export async function paintBoardPicture(
  order: PaintingOrder,
  frame: Frames,
  format: 'png' | 'jpeg' | 'webp' = 'png',
): Promise<BoardPicture> {
  const windows = order.plan.painted.board;
  const window = windows.find(({ shows }) => shows.start <= frame && frame < shows.end) ?? windows[0];
  const painter = await SkiaPainter.create(order);
  const painting = window === undefined ? null : painter.paint('board', window, frame);
  if (painting === null) {
    throw new ExportError('invalid', 'paint.no_board', 'No tier block shows the board.', {
      path: '/timeline_data/tier_blocks',
    });
  }
  const { rect, rgba } = flattenedBoard(painting, 'board', boardEffects(order.plan, window!, frame).dim);
  const { width, height } = rect;
  const { bitmap } = createSkiaSurface(width, height);
  const context = bitmap.getContext('2d');
  const pixels = context.createImageData(width, height);
  pixels.data.set(straight(rgba));
  context.putImageData(pixels, 0, 0);
  if (format === 'jpeg') {
    // The format has no transparency: the board is drawn on the background.
    context.globalCompositeOperation = 'destination-over';
    context.fillStyle = order.plan.canvas.background;
    context.fillRect(0, 0, width, height);
  }
  const picture = await (format === 'png' ? bitmap.encode('png') : bitmap.encode(format, QUALITY));
  return { picture, width, height, warnings: painter.warnings };
}
