import type { Issue } from '../../errors.ts';
import { presenceAt } from '../../plan/envelope/picture-envelope.ts';
import type { ClipLook } from '../../plan/layers/clip-layer.ts';
import type { PaintedKind, PaintedTypes } from '../../plan/layers/painted-layers.ts';
import type { ClipFrame, Overlay, OverlayPainter, Painting } from '../../plan/overlay-painter.ts';
import type { Frames } from '../../time.ts';
import { visiblePart } from '../layout/box.ts';
import { presentPainting } from '../pixels/present-painting.ts';
import { clipBorder, clipShadow } from './clip-frame.ts';
import { type LayerPainters, layerPainters } from './layer/layer-painters.ts';
import { PaintSurfaces } from './layer/paint-surfaces.ts';
import type { PreparedPlan } from './prepare-painting.ts';

/** Paints on the given canvas. It may return the same pixels again: do not write to them. */
export class CanvasOverlayPainter implements OverlayPainter {
  /** Items that became name cards, characters no font has, texts that were cut. */
  readonly warnings: readonly Issue[];
  readonly #prepared: PreparedPlan;
  readonly #surfaces: PaintSurfaces;
  readonly #layers: LayerPainters;
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

  clipFrame(look: ClipLook): ClipFrame {
    const paint = (part: ReturnType<typeof clipShadow>): Overlay | null => {
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
