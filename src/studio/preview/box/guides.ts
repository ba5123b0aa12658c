import type { LayerRef } from '../../../plan/layers/span.ts';
import { PAINTED, paintedLayer } from '../../../plan/painted/painted-kinds.ts';
import { BLOCK_BOX, shapeOf } from '../../../plan/place/canvas-shape.ts';
import type { Rect } from '../../../plan/rect.ts';
import type { RenderPlan } from '../../../plan/render-plan.ts';
import type { PercentBox } from '../../../timeline/request/places.ts';
import type { Guides } from './drag-box.ts';

/** The area that the buttons and titles of players leave free. (C21) */
export function safeArea(canvas: { readonly width: number; readonly height: number }): PercentBox {
  return BLOCK_BOX[shapeOf(canvas)];
}

/** The edges and middle of the canvas, its safe area, and everything visible at a frame. */
export function guidesOf(plan: RenderPlan, frame: number, exceptPath: string): Guides {
  const { canvas } = plan;
  const safe = safeArea(canvas);
  const others = seenAt(plan, frame).filter(({ path }) => path !== exceptPath);
  return {
    x: [
      ...[0, 50, 100, safe.x, safe.x + safe.width],
      ...others.flatMap(({ rect }) => [rect.x, rect.x + rect.width].map((px) => (px / canvas.width) * 100)),
    ],
    y: [
      ...[0, 50, 100, safe.y, safe.y + safe.height],
      ...others.flatMap(({ rect }) => [rect.y, rect.y + rect.height].map((px) => (px / canvas.height) * 100)),
    ],
  };
}

/** A visible entry and its rectangle, in canvas pixels. */
interface Seen {
  readonly path: string;
  readonly rect: Rect;
}

/** The visible entries of a frame, back to front. */
export function seenAt(plan: RenderPlan, frame: number): readonly Seen[] {
  const span = plan.spans.find(({ start, end }) => start <= frame && frame < end);
  return (span?.layers ?? []).flatMap((layer) => seenLayer(plan, layer) ?? []);
}

function seenLayer(plan: RenderPlan, ref: LayerRef): Seen | null {
  if (ref.kind !== 'clip') return PAINTED[ref.kind].isEntry ? paintedLayer(plan, ref) : null;
  const { path, backdrop, dest } = plan.clips[ref.index]!;
  return { path, rect: backdrop?.dest ?? dest };
}
