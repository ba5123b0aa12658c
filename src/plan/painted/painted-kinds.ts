import type { PaintedKind, PaintedTypes } from '../layers/painted-layers.ts';
import type { PaintedRef } from '../layers/span.ts';
import type { RenderPlan } from '../render-plan.ts';
import { BOARD_WINDOW } from './board-window.ts';
import type { PaintedSpec } from './painted-kind.ts';
import { PROGRESS_BAR } from './progress-bar.ts';
import { SUBTITLE } from './subtitle.ts';
import { TITLE } from './title.ts';

/** Every kind of painted layer. */
export const PAINTED: { readonly [Kind in PaintedKind]: PaintedSpec<Kind> } = {
  board: BOARD_WINDOW,
  title: TITLE,
  subtitle: SUBTITLE,
  progress: PROGRESS_BAR,
};

export const PAINTED_KINDS = Object.keys(PAINTED) as readonly PaintedKind[];

/** The layer that a span refers to. */
export function paintedLayer(
  { painted }: Pick<RenderPlan, 'painted'>,
  { kind, index }: Pick<PaintedRef, 'kind' | 'index'>,
): PaintedTypes[PaintedKind] {
  return painted[kind][index]!;
}
