import type { Issue } from '../../../errors.ts';
import { presenceAt } from '../../../plan/frame/picture-envelope.ts';
import type { ClipLook } from '../../../plan/model/clip-layer.ts';
import type { PaintedKind, PaintedTypes } from '../../../plan/model/painted-layers.ts';
import type { ClipFrame, PaintedPicture, Painter, Painting } from '../../../plan/model/painter.ts';
import { lookOf } from '../../../plan/theme/theme-looks.ts';
import type { Frames } from '../../../time.ts';
import { type Box, grown, visiblePart } from '../../boxes.ts';
import type { Canvas2D } from '../../canvas-2d.ts';
import { presentPainting } from '../../pixels/present-painting.ts';
import { drawGround } from '../ground-drawing.ts';
import { BoardWindows } from './board-windows.ts';
import { type LayerPainter, type LayerTools, PaintSurfaces } from './layer-painter.ts';
import type { PreparedPlan } from './prepare-painting.ts';
import { ProgressLine } from './progress-painter.ts';
import { SubtitleTexts } from './subtitle-painter.ts';
import { TitleCards } from './title-painter.ts';

/** Paints on the given canvas. It may return the same pixels again: do not write to them. */
export class CanvasPainter implements Painter {
  /** Items that became name cards, characters no font has, texts that were cut. */
  readonly warnings: readonly Issue[];
  readonly #prepared: PreparedPlan;
  readonly #surfaces: PaintSurfaces;
  readonly #layers: LayerPainters;
  #ground: PaintedPicture | null = null;
  readonly #framed = new WeakMap<ClipLook, ClipFrame>();

  constructor(prepared: PreparedPlan) {
    this.#prepared = prepared;
    this.#surfaces = new PaintSurfaces(prepared.tools.createSurface);
    this.#layers = layerPainters({ prepared, surfaces: this.#surfaces });
    this.warnings = prepared.warnings;
  }

  paint<Kind extends PaintedKind>(kind: Kind, layer: PaintedTypes[Kind], frame: Frames): Painting | null {
    const { plan, tools } = this.#prepared;
    const painting = this.#layers[kind].paint(layer, frame);
    const presence = presenceAt(layer, frame, layer.rect, plan.canvas);
    if (painting === null || presence === null) return painting;
    return presentPainting(painting, presence, plan.canvas, tools.straightAlpha === true);
  }

  ground(): PaintedPicture {
    const { canvas, theme } = this.#prepared.plan;
    const rect = { x: 0, y: 0, width: canvas.width, height: canvas.height };
    const draw = (context: Canvas2D) => drawGround(context, lookOf(theme).ground, rect);
    this.#ground ??= { rect, rgba: this.#surfaces.paint(rect, draw) };
    return this.#ground;
  }

  clipFrame(look: ClipLook): ClipFrame {
    const paint = (part: ReturnType<typeof clipShadow>): PaintedPicture | null => {
      const rect = part && visiblePart(part.box, this.#prepared.plan.canvas);
      return rect && { rect, rgba: this.#surfaces.paint(rect, part!.draw) };
    };
    let framed = this.#framed.get(look);
    if (framed === undefined) {
      framed = { shadow: paint(clipShadow(look)), border: paint(clipBorder(look)) };
      this.#framed.set(look, framed);
    }
    return framed;
  }
}

type LayerPainters = { readonly [Kind in PaintedKind]: LayerPainter<Kind> };

/** The painter of each kind of layer; `plan/frame/painted-kinds.ts` has everything else about a kind. */
function layerPainters(tools: LayerTools): LayerPainters {
  return {
    board: new BoardWindows(tools),
    title: new TitleCards(tools),
    subtitle: new SubtitleTexts(tools),
    progress: new ProgressLine(tools),
  };
}

/** Something drawn around a picture in a picture, in the canvas's coordinates. */
interface Drawn {
  readonly box: Box;
  draw(context: Canvas2D): void;
}

/** How far a shadow spreads, and how far down it falls, as shares of the shorter side. */
const SPREAD = 0.05;
const FALLS = 0.02;

/** The shadow below the picture, or null. */
function clipShadow({ rect, radiusPx, shadow }: ClipLook): Drawn | null {
  if (!shadow) return null;
  const side = Math.min(rect.width, rect.height);
  const blurPx = Math.max(2, side * SPREAD);
  return {
    box: grown(rect, blurPx * 2.6 + side * FALLS),
    draw: (context) => {
      // Draws only the shadow: the shape that casts it is above the visible area.
      const away = rect.height + 8 * blurPx;
      context.save();
      context.shadowColor = 'rgba(0, 0, 0, 0.6)';
      context.shadowBlur = 2 * blurPx;
      context.shadowOffsetY = away + side * FALLS;
      context.fillStyle = '#000000';
      context.beginPath();
      context.roundRect(rect.x, rect.y - away, rect.width, rect.height, radiusPx);
      context.fill();
      context.restore();
    },
  };
}

/** The border over the picture's edge, or null. */
function clipBorder({ rect, radiusPx, border }: ClipLook): Drawn | null {
  if (border === null) return null;
  const { color, widthPx } = border;
  return {
    box: rect,
    draw: (context) => {
      const { x, y, width, height } = grown(rect, -widthPx / 2);
      context.beginPath();
      context.roundRect(x, y, width, height, Math.max(0, radiusPx - widthPx / 2));
      context.strokeStyle = color;
      context.lineWidth = widthPx;
      context.stroke();
    },
  };
}
