import { PAINTED, paintedLayer } from '../../../plan/painted/painted-kinds.ts';
import { BLOCK_BOX, shapeOf } from '../../../plan/place/canvas-shape.ts';
import type { LayerRef, Rect, RenderPlan } from '../../../plan/render-plan.ts';
import type { PercentBox } from '../../../timeline/export-request.ts';
import type { Guides } from './drag-box.ts';

/** What players leave free of their own buttons and titles. (C21) */
export function safeArea(canvas: { readonly width: number; readonly height: number }): PercentBox {
  return BLOCK_BOX[shapeOf(canvas)];
}

/** Edges and middle of the canvas, its safe area, and whatever else is seen at a frame. */
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

/** An entry that is seen, and where, in pixels of the canvas. */
interface Seen {
  readonly path: string;
  readonly rect: Rect;
}

/** What is seen at a frame, back to front. */
export function seenAt(plan: RenderPlan, frame: number): readonly Seen[] {
  const span = plan.spans.find(({ start, end }) => start <= frame && frame < end);
  return (span?.layers ?? []).flatMap((layer) => seenLayer(plan, layer) ?? []);
}

function seenLayer(plan: RenderPlan, ref: LayerRef): Seen | null {
  if (ref.kind !== 'clip') return PAINTED[ref.kind].isEntry ? paintedLayer(plan, ref) : null;
  const { path, backdrop, dest } = plan.clips[ref.index]!;
  return { path, rect: backdrop?.dest ?? dest };
}
