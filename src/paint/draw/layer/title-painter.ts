import { RecentMap } from '../../../collections.ts';
import type { TitleLayer } from '../../../plan/model/painted-layers.ts';
import type { Painting } from '../../../plan/model/painter.ts';
import type { Theme } from '../../../plan/model/theme.ts';
import type { Ink, LetterStyle, Plate, Shade } from '../../../plan/theme/theme-look.ts';
import { lookOf } from '../../../plan/theme/theme-looks.ts';
import { around, type Box, visiblePart } from '../../boxes.ts';
import type { Canvas2D } from '../../canvas-2d.ts';
import { layoutTitle, type TitleLayout } from '../../layout/text/title-layout.ts';
import { inkOn, rgba } from '../color.ts';
import { drawGround } from '../ground-drawing.ts';
import { Inks } from '../inks.ts';
import { drawPlate } from '../plates.ts';
import { drawLetters, drawText } from '../text-drawing.ts';
import { atRest, KEPT_PAINTINGS, type LayerPainter, type LayerTools } from './layer-painter.ts';

/** Opening cards, lower thirds, labels. (C60) */
export class TitleCards implements LayerPainter<'title'> {
  readonly #tools: LayerTools;
  readonly #kept = new RecentMap<TitleLayer, Painting | null>(KEPT_PAINTINGS);

  constructor(tools: LayerTools) {
    this.#tools = tools;
  }

  paint(title: TitleLayer): Painting | null {
    return this.#kept.getOrMake(title, () => this.#paint(title));
  }

  #paint(title: TitleLayer): Painting | null {
    const { plan, tools } = this.#tools.prepared;
    const layout = layoutTitle(title, plan.theme, tools.measure);
    const rect = layout && visiblePart(layout.bounds, plan.canvas);
    if (layout === null || rect === null) return null;
    const rgba = this.#tools.surfaces.paint(rect, (context) => drawTitle(context, title, layout, plan.theme));
    return atRest({ rect, rgba });
  }
}

/** Below this opacity, the background does not make a text readable: the text gets an outline. (R20) */
const CARRIES = 0.6;
/** Of the text's colour, under it. */
const SUBTEXT = 0.22;

/** Draws a title at the place of its layout, on an empty context whose origin is the canvas's. (C60) */
function drawTitle(context: Canvas2D, title: TitleLayer, layout: TitleLayout, theme: Theme): void {
  const { plate, accents, lines, radiusPx } = layout;
  const look = lookOf(theme);
  const { card, lowerThird } = look.titles;
  const { kind, sizePx, background } = title;
  const inks = new Inks(theme);
  const style = kind === 'card' ? card : kind === 'label' ? look.titles.label : lowerThird;
  const whole = kind === 'card' ? null : plateOf(kind === 'label' ? look.titles.label.plate : lowerThird.plate, title);
  const alpha = whole === null ? (background.alpha ?? 1) : (whole.alpha ?? 1);
  context.save();
  if (whole !== null) {
    const turn = kind === 'lower_third' ? lowerThird.turn : 0;
    turnAbout(context, plate, turn);
    if (alpha > 0) drawPlate(context, whole, plate, { em: sizePx, radiusPx }, inks);
  } else {
    drawCardGround(context, title, plate, theme);
    turnAbout(context, around(lines.map(({ box }) => box)), card.turn);
  }
  const accentInk = kind === 'card' ? card.accent.ink : (lowerThird.bar ?? 'accent');
  for (const { x, y, width, height } of accents) {
    context.beginPath();
    const round = look.palette.corner === 0 ? 0 : Math.min(width, height) / 2;
    context.roundRect(x, y, width, height, round);
    context.fillStyle = rgba(inks.of(accentInk), 1);
    context.fill();
  }
  const ground = groundInk(title, whole, look.ground.color);
  for (const [index, { block, box }] of lines.entries()) {
    const isSubtext = index > 0 || title.text.trim() === '';
    if (
      kind === 'card' &&
      isSubtext &&
      card.subPlate !== null &&
      background.color === null &&
      background.alpha === null
    ) {
      const pad = { x: 0.6 * block.sizePx, y: 0.12 * block.sizePx };
      const free = box.width - block.widthPx;
      const x = box.x + (title.align === 'left' ? 0 : title.align === 'right' ? free : free / 2) - pad.x;
      const room = { x, y: box.y - pad.y, width: block.widthPx + 2 * pad.x, height: box.height + 2 * pad.y };
      drawPlate(context, card.subPlate, room, { em: block.sizePx, radiusPx: 0 }, inks);
    }
    const letters = lettersOf(isSubtext ? style.sub : style.letters, title, isSubtext, ground);
    if (alpha < CARRIES && letters.outline === undefined) {
      const outline = inkOn(inks.of(topOf(letters.ink)));
      context.save();
      context.lineJoin = 'round';
      context.lineWidth = 0.12 * block.sizePx;
      context.strokeStyle = rgba(outline, 0.85);
      context.shadowColor = rgba(outline, 0.5);
      context.shadowBlur = block.sizePx * 0.16;
      drawText(context, block, box.x, box.y, box.width, title.align, 'stroke');
      context.restore();
    }
    drawLetters(context, block, box, title.align, letters, inks);
  }
  context.restore();
}

/** The theme's plate, with the background that the entry gives. */
function plateOf(plate: Plate, { background: { color, alpha } }: TitleLayer): Plate {
  if (alpha === 0) return { alpha };
  return { ...plate, ...(color === null ? {} : { fill: color as Ink }), ...(alpha === null ? {} : { alpha }) };
}

/** A card without a background of its own stands on the theme's ground. */
function drawCardGround(context: Canvas2D, { background }: TitleLayer, canvas: Box, theme: Theme): void {
  const { ground } = lookOf(theme);
  const { color, alpha } = background;
  if (color === null && alpha === null) drawGround(context, ground, canvas);
  else if (alpha !== 0) {
    context.fillStyle = rgba(new Inks(theme).of((color ?? ground.color) as Ink), alpha ?? 1);
    context.fillRect(canvas.x, canvas.y, canvas.width, canvas.height);
  }
}

function groundInk({ background }: TitleLayer, plate: Plate | null, ground: Ink): Ink {
  if (background.color !== null) return background.color as Ink;
  return plate === null ? ground : topOf(plate.fill ?? ground);
}

/** The theme's letters, in the colour that the entry gives, and readable on the background that it gives. */
function lettersOf(style: LetterStyle, title: TitleLayer, isSubtext: boolean, ground: Ink): LetterStyle {
  const { color, background } = title;
  if (color !== null) return { ...style, ink: isSubtext ? [color as Ink, ground, SUBTEXT] : (color as Ink) };
  if (background.color === null || style.outline !== undefined) return style;
  return { ...style, ink: { legible: topOf(style.ink), on: ground } };
}

function topOf(ink: Ink | Shade): Ink {
  return typeof ink === 'object' && 'top' in ink ? ink.top : ink;
}

function turnAbout(context: Canvas2D, box: Box, degrees: number): void {
  if (degrees === 0) return;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  context.translate(x, y);
  context.rotate((degrees * Math.PI) / 180);
  context.translate(-x, -y);
}
