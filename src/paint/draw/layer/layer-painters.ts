import type { PaintedKind } from '../../../plan/layers/painted-layers.ts';
import { BoardWindows } from './board-windows.ts';
import type { LayerPainter, LayerTools } from './layer-painter.ts';
import { ProgressLine } from './progress-line.ts';
import { SubtitleTexts } from './subtitle-texts.ts';
import { TitleCards } from './title-cards.ts';

export type LayerPainters = { readonly [Kind in PaintedKind]: LayerPainter<Kind> };

/** The painter of each kind of layer; `plan/painted` has everything else about a kind. */
export function layerPainters(tools: LayerTools): LayerPainters {
  return {
    board: new BoardWindows(tools),
    title: new TitleCards(tools),
    subtitle: new SubtitleTexts(tools),
    progress: new ProgressLine(tools),
  };
}
