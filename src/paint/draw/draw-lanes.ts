import type { Theme } from '../../plan/theme.ts';
import type { Bitmap, Canvas2D, CreateSurface } from '../canvas-2d.ts';
import type { BoardLayout } from '../layout/board-layout.ts';
import type { Box } from '../layout/box.ts';
import { fontAt } from '../layout/text/typeface.ts';
import { mixed, type Rgb, rgba, rgbOf } from './color.ts';
import { strokeInside } from './stroke-inside.ts';
import type { TextSprites } from './text-sprites.ts';
import { themeStyle } from './theme-style.ts';

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];

/** A multiple of 8 pixels, by which Skia's dithering repeats. */
const STRIP_PX = 128;

/** Some columns of the panel's shade, which are all equal: copying them takes half the time of shading them. */
export function panelStrip({ panel }: BoardLayout, theme: Theme, createSurface: CreateSurface): Bitmap {
  const { bitmap, context } = createSurface(STRIP_PX, Math.ceil(panel.height));
  if (!theme.glass) {
    context.fillStyle = panelShade(context, 0, panel.height, theme);
    context.fillRect(0, 0, bitmap.width, bitmap.height);
    return bitmap;
  }
  // Row by row, without dithering, which differs between canvases: the transparency hides the steps.
  const [top, foot] = panelEnds(theme);
  for (let y = 0; y < bitmap.height; y += 1) {
    context.fillStyle = rgba(mixed(top, foot, (y + 0.5) / panel.height), theme.panelOpacity);
    context.fillRect(0, y, bitmap.width, 1);
  }
  return bitmap;
}

/** The panel and the title. Never changes. `strip`: null if the panel is too tall for one. */
export function drawPanel(
  context: Canvas2D,
  layout: BoardLayout,
  theme: Theme,
  texts: TextSprites,
  strip: Bitmap | null,
): void {
  const { panel, radiusPx, title } = layout;
  const style = themeStyle(theme);
  const outline = () => {
    context.beginPath();
    context.roundRect(panel.x, panel.y, panel.width, panel.height, radiusPx.panel);
  };
  if (strip === null) {
    outline();
    context.fillStyle = panelShade(context, panel.y, panel.height, theme);
    context.fill();
  } else {
    context.imageSmoothingQuality = 'low';
    const columns = Array.from({ length: Math.ceil(panel.width / strip.width) }, (_, column) => column * strip.width);
    const isRound = (x: number) => x < radiusPx.panel || x + strip.width > panel.width - radiusPx.panel;
    const draw = (x: number) => context.drawImage(strip, panel.x + x, panel.y, strip.width, strip.height);
    // Clipped drawing costs several times as much as plain copying.
    for (const x of columns) if (!isRound(x)) draw(x);
    context.save();
    outline();
    context.clip();
    for (const x of columns) if (isRound(x)) draw(x);
    context.restore();
  }
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
    outline();
    context.clip();
    style.drawHead(context, head, theme);
    context.restore();
  }
  const rightToLeft = title.block.lines[0]?.rightToLeft === true;
  texts.draw(context, title.block, title.box, theme.text, rightToLeft ? 'right' : 'left');
}

function panelShade(context: Canvas2D, y: number, height: number, theme: Theme): object {
  const [top, foot] = panelEnds(theme);
  const shade = context.createLinearGradient(0, y, 0, y + height);
  shade.addColorStop(0, rgba(top, theme.panelOpacity));
  shade.addColorStop(1, rgba(foot, theme.panelOpacity));
  return shade;
}

function panelEnds(theme: Theme): readonly [top: Rgb, foot: Rgb] {
  const color = rgbOf(theme.panel);
  const [lighter, darker] = themeStyle(theme).shade;
  return [mixed(color, WHITE, lighter), mixed(color, BLACK, darker)];
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
  const style = themeStyle(theme);
  style.drawRow(context, { lane, labelPx, radiusPx: radiusPx.lane }, color, theme);
  const label = labels[row] ?? null;
  if (label === null) return;
  // A whole offset, so that a resting label is on whole pixels, like its lane.
  const y = lane.y + Math.round((lane.height - label.heightPx) / 2);
  const box = { x: lane.x, y, width: labelPx, height: label.heightPx };
  texts.draw(context, label, box, rgba(style.labelInk(color, theme), 1), 'center');
}

/** A row's label, larger than it is: something has landed in its row. (R26) */
export function drawBump(
  context: Canvas2D,
  layout: BoardLayout,
  theme: Theme,
  row: number,
  color: Rgb,
  lane: Box,
  texts: TextSprites,
  scale: number,
): void {
  const [x, y] = [lane.x + layout.labelPx / 2, lane.y + lane.height / 2];
  context.save();
  context.translate(x, y);
  context.scale(scale, scale);
  context.translate(-x, -y);
  context.beginPath();
  context.rect(lane.x, lane.y, layout.labelPx, lane.height);
  context.clip();
  drawRow(context, layout, theme, row, color, lane, texts);
  context.restore();
}

/** How much of a row the light that sweeps along it takes. */
const SWEPT = 0.6;

/** Light goes along a row, from its label to the right: something has landed in it. (R26) */
export function drawSweep(
  context: Canvas2D,
  { labelPx, radiusPx }: BoardLayout,
  color: Rgb,
  lane: Box,
  { sweep, light }: { readonly sweep: number; readonly light: number },
): void {
  const { x, width } = { x: lane.x + labelPx, width: lane.width - labelPx };
  const head = x + width * (1 + SWEPT) * sweep;
  const lit = mixed(color, WHITE, 0.35);
  const shade = context.createLinearGradient(head - width * SWEPT, 0, head, 0);
  shade.addColorStop(0, rgba(lit, 0));
  shade.addColorStop(0.8, rgba(lit, light));
  shade.addColorStop(1, rgba(lit, 0));
  context.beginPath();
  // Its label is as bright as can be already.
  context.roundRect(x, lane.y, width, lane.height, [0, radiusPx.lane, radiusPx.lane, 0]);
  context.fillStyle = shade;
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
  context.fillText(text, box.x + box.width, box.y + (box.height + face.capEm * sizePx) / 2);
}

/** The pool is only an outline: its items have no rank. It fades as it closes. (C65) */
export function drawPool(
  context: Canvas2D,
  { radiusPx, gapPx, cardHeightPx }: BoardLayout,
  theme: Theme,
  lane: Box,
): void {
  if (lane.height <= 0) return;
  context.globalAlpha = Math.min(1, lane.height / cardHeightPx);
  strokeInside(context, lane, radiusPx.lane, Math.max(1, gapPx * 0.18), theme.line);
  context.globalAlpha = 1;
}
