import { blurUnder, glassCellPx } from '../../../paint/pixels/glass-blur.ts';
import type { Rect } from '../../../plan/model/canvas.ts';
import type { RenderPlan } from '../../../plan/model/render-plan.ts';
import type { Context } from './browser-surface.ts';

/** Blurs what is under a glass board, with the code of the engine. (C47) */
export function blurUnderGlass(context: Context, { theme }: RenderPlan, board: CanvasImageSource, rect: Rect): void {
  const { a: scaleX, d: scaleY, e: left, f: top } = context.getTransform();
  const at = (px: number, scale: number, offset: number) => Math.round(px * scale + offset);
  const [boardX, boardY] = [at(rect.x, scaleX, left), at(rect.y, scaleY, top)];
  const right = at(rect.x + rect.width, scaleX, left);
  const bottom = at(rect.y + rect.height, scaleY, top);
  if (right <= boardX || bottom <= boardY) return;
  // Start at even coordinates, as the engine does for 4:2:0 chroma, so that the cells are the same.
  const [x, y] = [2 * Math.floor(boardX / 2), 2 * Math.floor(boardY / 2)];
  const [width, height] = [2 * Math.ceil((right - x) / 2), 2 * Math.ceil((bottom - y) / 2)];
  const mask = new OffscreenCanvas(width, height).getContext('2d')!;
  mask.drawImage(board, boardX - x, boardY - y, right - boardX, bottom - boardY);
  const pixels = mask.getImageData(0, 0, width, height).data;
  const under = context.getImageData(x, y, width, height);
  const full = Math.max(8, Math.round(theme.panelOpacity * 255));
  const alpha = { data: pixels, start: 3, stride: width * 4, step: 4, full };
  const cellPx = glassCellPx({ width: context.canvas.width, height: context.canvas.height });
  for (let channel = 0; channel < 3; channel += 1) {
    const samples = { data: under.data, start: channel, stride: width * 4, step: 4 };
    blurUnder(samples, { width, height }, cellPx, alpha, 1);
  }
  context.putImageData(under, x, y);
}
