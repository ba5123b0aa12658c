import type { Theme } from '../../../plan/model/theme.ts';
import type { Ink, Plate } from '../../../plan/theme/theme-look.ts';
import { lookOf } from '../../../plan/theme/theme-looks.ts';
import type { Box } from '../../boxes.ts';
import type { Bitmap, Canvas2D, CreateSurface } from '../../canvas-2d.ts';
import type { BoardLayout } from '../../layout/board-layout.ts';
import { fontAt } from '../../layout/text/typeface.ts';
import { mixed, type Rgb, rgba } from '../color.ts';
import { Inks } from '../inks.ts';
import { drawBody, drawEdge, drawOutline, drawPlate, strokeInside, tracePlate } from '../plates.ts';
import type { TextSprites } from '../text-drawing.ts';

const WHITE: Rgb = [255, 255, 255];
/** The opacity of a lane on glass. */
const LANE_ON_GLASS = 0.5;

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
  const { panel, radiusPx, title, em } = layout;
  const look = lookOf(theme).board;
  const inks = new Inks(theme);
  const size = { em, radiusPx: radiusPx.panel };
  if (theme.panelOpacity > 0) {
    const outline = () => tracePlate(context, look.panel, panel, size);
    if (strip === null) {
      outline();
      context.fillStyle = panelShade(context, panel.y, panel.height, theme);
      context.fill();
    } else {
      context.imageSmoothingQuality = 'low';
      const columns = Array.from({ length: Math.ceil(panel.width / strip.width) }, (_, column) => column * strip.width);
      const cornerPx = Math.max(radiusPx.panel, (look.panel.step ?? 0) * em);
      const isRound = (x: number) => x < cornerPx || x + strip.width > panel.width - cornerPx;
      const draw = (x: number) => context.drawImage(strip, panel.x + x, panel.y, strip.width, strip.height);
      // Clipped drawing costs several times as much as plain copying.
      for (const x of columns) if (!isRound(x)) draw(x);
      context.save();
      outline();
      context.clip();
      for (const x of columns) if (isRound(x)) draw(x);
      context.restore();
    }
    drawOutline(context, look.panel, panel, size, inks);
  }
  if (title === null) return;
  if (look.head !== null) {
    const { box, block } = title;
    const room = layout.lanesBox;
    const head = { x: room.x, y: box.y, width: room.width, height: box.height + 0.08 * block.sizePx };
    drawPlate(context, look.head.plate, head, { em, radiusPx: 0 }, inks);
  }
  const rightToLeft = title.block.lines[0]?.rightToLeft === true;
  texts.draw(context, title.block, title.box, rightToLeft ? 'right' : 'left', look.title, inks);
}

function panelShade(context: Canvas2D, y: number, height: number, theme: Theme): object {
  const [top, foot] = panelEnds(theme);
  const shade = context.createLinearGradient(0, y, 0, y + height);
  shade.addColorStop(0, rgba(top, theme.panelOpacity));
  shade.addColorStop(1, rgba(foot, theme.panelOpacity));
  return shade;
}

function panelEnds(theme: Theme): readonly [top: Rgb, foot: Rgb] {
  const { fill = 'panel' } = lookOf(theme).board.panel;
  const inks = new Inks(theme);
  const ends: readonly [Ink, Ink] = typeof fill === 'object' && 'top' in fill ? [fill.top, fill.foot] : [fill, fill];
  return [inks.of(ends[0]), inks.of(ends[1])];
}

/** A row's lane with its label at the left. */
export function drawRow(
  context: Canvas2D,
  { labelPx, radiusPx, labels, em }: BoardLayout,
  theme: Theme,
  row: number,
  color: Rgb,
  lane: Box,
  texts: TextSprites,
): void {
  const look = lookOf(theme).board;
  const inks = new Inks(theme, color);
  const size = { em, radiusPx: radiusPx.lane };
  // Lanes on glass are transparent too.
  const plate: Plate = theme.glass ? { ...look.row, alpha: LANE_ON_GLASS } : look.row;
  drawBody(context, plate, lane, size, inks);
  const head = { ...lane, width: labelPx };
  drawPlate(context, look.label.plate, head, { ...size, corners: 'left' }, inks);
  if (look.divider !== null) {
    const { slant = 0 } = look.row;
    drawEdge(context, { slant }, { ...look.divider, side: 'right' }, head, size, inks);
  }
  drawOutline(context, plate, lane, size, inks);
  const label = labels[row] ?? null;
  if (label === null) return;
  // A whole offset, so that a resting label is on whole pixels, like its lane.
  const y = lane.y + Math.round((lane.height - label.heightPx) / 2);
  const box = { x: lane.x, y, width: labelPx, height: label.heightPx };
  texts.draw(context, label, box, 'center', look.label.letters, inks);
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
  const lean = ((lookOf(theme).board.row.slant ?? 0) * lane.height) / 2;
  context.rect(lane.x - lean, lane.y, layout.labelPx + 2 * lean, lane.height);
  context.clip();
  drawRow(context, layout, theme, row, color, lane, texts);
  context.restore();
}

/** How much of a row the light that sweeps along it takes. */
const SWEPT = 0.6;

/** Light goes along a row, from its label to the right: something has landed in it. (R26) */
export function drawSweep(
  context: Canvas2D,
  { labelPx, radiusPx, em }: BoardLayout,
  theme: Theme,
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
  // Its label is as bright as can be already.
  const { slant = 0 } = lookOf(theme).board.row;
  tracePlate(context, { slant }, { ...lane, x, width }, { em, radiusPx: radiusPx.lane, corners: 'right' });
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
  context.fillStyle = rgba(new Inks(theme).of(counterInk(theme)), 0.8);
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

/** As the title's letters. */
function counterInk(theme: Theme): Ink {
  const { ink } = lookOf(theme).board.title;
  return typeof ink === 'object' && 'top' in ink ? ink.top : ink;
}
