import type { Theme } from '../../plan/render-plan.ts';
import type { Canvas2D } from '../canvas-2d.ts';
import type { BoardLayout } from '../layout/board-layout.ts';
import type { Box } from '../layout/box.ts';
import { CAP_HEIGHT_EM, fontAt } from '../layout/typeface.ts';
import { mixed, type Rgb, rgba, rgbOf } from './color.ts';
import type { TextSprites } from './text-sprites.ts';
import { styleOf } from './theme-style.ts';

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];

/** What all else lies on, and the title. Never changes. */
export function drawPanel(context: Canvas2D, layout: BoardLayout, theme: Theme, texts: TextSprites): void {
  const { panel, radiusPx, title } = layout;
  const color = rgbOf(theme.panel);
  const shade = context.createLinearGradient(0, panel.y, 0, panel.y + panel.height);
  const style = styleOf(theme);
  shade.addColorStop(0, rgba(mixed(color, WHITE, style.shade[0]), theme.panelOpacity));
  shade.addColorStop(1, rgba(mixed(color, BLACK, style.shade[1]), theme.panelOpacity));
  context.beginPath();
  context.roundRect(panel.x, panel.y, panel.width, panel.height, radiusPx.panel);
  context.fillStyle = shade;
  context.fill();
  strokeInside(context, panel, radiusPx.panel, Math.max(1, Math.round(panel.height * 0.0016)), theme.line);
  if (title === null) return;
  const padding = layout.lanesBox.x;
  const head = {
    x: panel.x,
    y: panel.y,
    width: panel.width,
    height: title.box.y + title.box.height + padding * 0.3 - panel.y,
  };
  if (style.drawHead !== undefined) {
    context.save();
    context.beginPath();
    context.roundRect(panel.x, panel.y, panel.width, panel.height, radiusPx.panel);
    context.clip();
    style.drawHead(context, head, theme);
    context.restore();
  }
  const rightToLeft = title.block.lines[0]?.rightToLeft === true;
  texts.draw(context, title.block, title.box, theme.text, rightToLeft ? 'right' : 'left');
}

/** A row's lane with its label at the left. */
export function drawRow(
  context: Canvas2D,
  { labelPx, radiusPx, labels }: BoardLayout,
  theme: Theme,
  row: number,
  color: Rgb,
  lane: Box,
  texts: TextSprites,
): void {
  const style = styleOf(theme);
  style.drawRow(context, { lane, labelPx, radiusPx: radiusPx.lane }, color, theme);
  const label = labels[row] ?? null;
  if (label === null) return;
  // A whole offset, so that a label at rest lies on whole pixels as its lane does.
  const y = lane.y + Math.round((lane.height - label.heightPx) / 2);
  const box = { x: lane.x, y, width: labelPx, height: label.heightPx };
  texts.draw(context, label, box, rgba(style.labelInk(color, theme), 1), 'center');
}

/** A row lights up: something has landed in it. (R19) */
export function drawFlash(
  context: Canvas2D,
  { labelPx, radiusPx }: BoardLayout,
  color: Rgb,
  lane: Box,
  flash: number,
): void {
  context.beginPath();
  // Its label is as bright as can be already.
  context.roundRect(lane.x + labelPx, lane.y, lane.width - labelPx, lane.height, [0, radiusPx.lane, radiusPx.lane, 0]);
  context.fillStyle = rgba(mixed(color, WHITE, 0.35), 0.55 * flash);
  context.fill();
}

/** How many items are in place, at the right of the title. (C45) */
export function drawCounter(
  context: Canvas2D,
  counter: NonNullable<BoardLayout['counter']>,
  theme: Theme,
  text: string,
): void {
  const { box, face, sizePx } = counter;
  context.font = fontAt(face, sizePx);
  context.textBaseline = 'alphabetic';
  context.direction = 'ltr';
  context.textAlign = 'right';
  context.fillStyle = rgba(rgbOf(theme.text), 0.72);
  context.fillText(text, box.x + box.width, box.y + (box.height + CAP_HEIGHT_EM * sizePx) / 2);
}

/** The pool is a mere outline: nothing in it has a rank. */
export function drawPool(context: Canvas2D, { radiusPx, gapPx }: BoardLayout, theme: Theme, lane: Box): void {
  strokeInside(context, lane, radiusPx.lane, Math.max(1, gapPx * 0.18), theme.line);
}

function strokeInside(context: Canvas2D, box: Box, radiusPx: number, linePx: number, style: string): void {
  context.beginPath();
  context.roundRect(
    box.x + linePx / 2,
    box.y + linePx / 2,
    Math.max(0, box.width - linePx),
    Math.max(0, box.height - linePx),
    Math.max(0, radiusPx - linePx / 2),
  );
  context.strokeStyle = style;
  context.lineWidth = linePx;
  context.stroke();
}
