import { ExportError, type Issue } from '../../../errors.ts';
import { inCase } from '../../../plan/model/capitals.ts';
import type { CardStyle, Plate, ThemeLook } from '../../../plan/theme/theme-look.ts';
import { lookOf } from '../../../plan/theme/theme-looks.ts';
import type { ThumbnailItem, ThumbnailPlan } from '../../../plan/thumbnail-plan.ts';
import type { Box } from '../../boxes.ts';
import type { Canvas2D, Surface } from '../../canvas-2d.ts';
import { nameOnCard } from '../../layout/card-words.ts';
import { cleanLine, fitText } from '../../layout/text/text-block.ts';
import type { MeasureText } from '../../layout/text/text-measure.ts';
import { type Lettering, layoutThumbnail, type ThumbnailLayout } from '../../layout/thumbnail-layout.ts';
import { drawCard } from '../card/card-sprites.ts';
import { fitPicture, groundUnder, pictureLook } from '../card/fit-picture.ts';
import { rgbOf } from '../color.ts';
import { drawGround } from '../ground-drawing.ts';
import { Inks } from '../inks.ts';
import { drawBody, drawOutline, drawPlate, tracePlate } from '../plates.ts';
import { drawLetters } from '../text-drawing.ts';
import type { PaintTools } from './prepare-painting.ts';

type Art = Parameters<typeof drawCard>[1];

/** A thumbnail as a picture, and the items whose pictures cannot be shown. */
interface DrawnThumbnail {
  readonly surface: Surface;
  readonly warnings: readonly Issue[];
}

/** Draws a thumbnail. An item whose picture cannot be loaded is a card with its name, and a warning. (R12, R39) */
export async function drawThumbnail(
  plan: ThumbnailPlan,
  tools: Pick<PaintTools, 'createSurface' | 'measure' | 'loadPicture'>,
  signal?: AbortSignal,
): Promise<DrawnThumbnail> {
  const { width, height, theme, items } = plan;
  const { createSurface, measure } = tools;
  const layout = layoutThumbnail(plan, measure);
  const look = lookOf(theme);
  const style: CardStyle = { ...look.card, plate: look.thumbnail.card };
  const warnings: Issue[] = [];
  const arts: Art[] = [];
  for (const { item, box } of layout.cards) {
    signal?.throwIfAborted();
    arts[item] = await artOf(items[item]!, box, plan, style, tools, warnings);
  }
  const surface = createSurface(width, height);
  const { context } = surface;
  drawGround(context, look.ground, { x: 0, y: 0, width, height });
  drawRows(context, plan, layout, look, measure);
  for (const [at, { item, box }] of layout.cards.entries()) {
    const { turns } = look.thumbnail;
    drawTurnedCard(context, arts[item]!, box, turns[at % turns.length]!, style, plan);
  }
  for (const { stamp } of layout.cards) if (stamp !== null) drawLettering(context, stamp, plan, look);
  if (layout.versus !== null) drawLettering(context, layout.versus, plan, look);
  for (const part of layout.text) drawLettering(context, part, plan, look);
  return { surface, warnings };
}

/** Of a name card: a row's colour would tell its verdict. */
const NEUTRAL = '#788094';

async function artOf(
  item: ThumbnailItem,
  box: Box,
  { theme, sources, style: kind }: ThumbnailPlan,
  style: CardStyle,
  { createSurface, measure, loadPicture }: Pick<PaintTools, 'createSurface' | 'measure' | 'loadPicture'>,
  warnings: Issue[],
): Promise<Art> {
  const px = Math.round(box.width);
  const pictured = Math.max(1, px - 2 * matOf(px, style));
  const name = inCase(cleanLine(item.name, 200), style.name);
  const words = (): Art['words'] => {
    // The plate between two rivals covers a part of their cards.
    const width = kind === 'versus' ? px * 0.74 : px;
    const block = nameOnCard(name, { width, height: px }, px * 0.06, measure);
    return block === null ? [] : [{ block, place: 'on', alpha: 1 }];
  };
  const plain = { tint: rgbOf(NEUTRAL) };
  if (item.image === null) return { ...plain, picture: null, words: words() };
  try {
    const { bitmap, release } = await loadPicture(sources[item.image]!.field, pictured);
    const whole = pictureLook(bitmap, createSurface);
    const fitted = fitPicture(bitmap, whole, { width: pictured, height: pictured }, item, createSurface);
    release();
    return { ...plain, words: [], picture: { bitmap: fitted, ground: groundUnder(whole, rgbOf(theme.card)) } };
  } catch (error) {
    if (!(error instanceof ExportError)) throw error;
    const message = `${error.message} “${item.name}” is shown as a card with its name.`;
    warnings.push({ path: `${item.path}/file_field`, code: error.code, message });
    return { ...plain, picture: null, words: words() };
  }
}

function matOf(px: number, { mat }: CardStyle): number {
  return Math.round(px * mat);
}

/** How round cards are, at the most that a theme or a request gives. */
const ROUNDEST = 0.12;
const SHADOW = { blur: 0.1, falls: 0.03 };

function drawTurnedCard(
  context: Canvas2D,
  art: Art,
  box: Box,
  degrees: number,
  style: CardStyle,
  { theme }: ThumbnailPlan,
): void {
  const px = Math.round(box.width);
  const radiusPx = theme.corner * ROUNDEST * px;
  context.save();
  context.translate(box.x + box.width / 2, box.y + box.height / 2);
  context.rotate((degrees * Math.PI) / 180);
  context.translate(-box.width / 2, -box.height / 2);
  if (style.shadow > 0) drawShadow(context, style.plate, px, radiusPx, style.shadow);
  const size = { width: px, height: px, namePx: 0, besidePx: 0 };
  drawCard(context, art, { ...size, radiusPx, em: px, dropEm: px, matPx: matOf(px, style) }, style, new Inks(theme));
  context.restore();
}

function drawShadow(context: Canvas2D, plate: Plate, px: number, radiusPx: number, strength: number): void {
  context.save();
  context.shadowColor = `rgba(0, 0, 0, ${0.55 * strength})`;
  context.shadowBlur = SHADOW.blur * px;
  context.shadowOffsetY = SHADOW.falls * px;
  context.fillStyle = '#000000';
  tracePlate(context, plate, { x: 0, y: 0, width: px, height: px }, { em: px, radiusPx }, px * 0.01);
  context.fill();
  context.restore();
}

/** Of a board's lengths, as in a board that fills the picture. */
function boardEm({ width, height }: ThumbnailPlan): number {
  return Math.sqrt(width * height) / 48;
}

function drawRows(
  context: Canvas2D,
  plan: ThumbnailPlan,
  { rows }: ThumbnailLayout,
  look: ThemeLook,
  measure: MeasureText,
): void {
  const { theme } = plan;
  const em = boardEm(plan);
  const neutral = new Inks(theme);
  for (const { row, box, label, slots } of rows) {
    const inks = new Inks(theme, rgbOf(plan.rows[row]!.color));
    const size = { em, radiusPx: theme.corner * 0.9 * em };
    drawBody(context, look.board.row, box, size, inks);
    drawPlate(context, look.board.label.plate, label.box, { ...size, corners: 'left' }, inks);
    drawOutline(context, look.board.row, box, size, inks);
    drawBlock(context, label, look.board.label.letters, 'center', inks);
    for (const slot of slots) {
      const small = { em: slot.height * 1.6, radiusPx: theme.corner * ROUNDEST * slot.height };
      drawPlate(context, look.card.plate, slot, small, neutral);
      const room = { widthPx: slot.width, heightPx: slot.height, maxPx: slot.height * 0.74, minPx: 4, maxLines: 1 };
      const marks = slot.width > 2 * slot.height ? '???' : '?';
      const block = fitText(marks, 'display', { ...room, mayCut: false, mayBreakWords: false }, measure);
      drawBlock(context, { block, box: slot }, look.card.name, 'center', neutral);
    }
  }
}

function drawLettering(context: Canvas2D, part: Lettering, plan: ThumbnailPlan, look: ThemeLook): void {
  const { theme, rows } = plan;
  const { verdict, align } = look.thumbnail;
  const inks = new Inks(theme, part.row === null ? null : rgbOf(rows[part.row]!.color));
  if (part.on === 'ground') {
    drawBlock(context, part, look.titles.card.letters, align, inks);
    return;
  }
  const em = part.box.height / 1.16;
  const size = { em, radiusPx: theme.corner * 0.2 * em };
  // An outline alone cannot be read on a picture.
  const plate: Plate = part.on === 'picture' ? { fill: 'panel', ...verdict.plate } : verdict.plate;
  drawPlate(context, plate, part.box, size, inks);
  drawBlock(context, part, verdict.letters, 'center', inks);
}

/** A block in the middle of its box. */
function drawBlock(
  context: Canvas2D,
  { block, box }: Pick<Lettering, 'block' | 'box'>,
  style: ThemeLook['titles']['card']['letters'],
  align: 'left' | 'center',
  inks: Inks,
): void {
  if (block === null) return;
  const y = box.y + (box.height - block.heightPx) / 2;
  drawLetters(context, block, { ...box, y }, align, style, inks);
}
