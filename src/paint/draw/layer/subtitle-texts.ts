import { RecentMap } from '../../../collections/recent-map.ts';
import type { Painting } from '../../../plan/overlay-painter.ts';
import type { SubtitleLayer } from '../../../plan/render-plan.ts';
import type { Frames } from '../../../time.ts';
import { visiblePart } from '../../layout/box.ts';
import { layoutSubtitle } from '../../layout/subtitle-layout.ts';
import { wordBoxes } from '../../layout/word-boxes.ts';
import { drawSubtitle } from '../draw-subtitle.ts';
import { atRest, KEPT_OVERLAYS, type LayerPainter, type LayerTools } from './layer-painter.ts';

/** Texts in their boxes, which they may outgrow upward. (R14) */
export class SubtitleTexts implements LayerPainter<'subtitle'> {
  readonly #tools: LayerTools;
  /** With so many of their words spoken as they were last. */
  readonly #kept = new RecentMap<SubtitleLayer, { count: number; painting: Painting | null }>(KEPT_OVERLAYS);

  constructor(tools: LayerTools) {
    this.#tools = tools;
  }

  paint(subtitle: SubtitleLayer, frame: Frames): Painting | null {
    const count = subtitle.words.filter(({ at }) => at <= frame).length;
    const kept = this.#kept.getOrMake(subtitle, () => ({ count, painting: this.#paint(subtitle, count) }));
    if (kept.count !== count) {
      kept.painting = this.#paint(subtitle, count);
      kept.count = count;
    }
    return kept.painting;
  }

  #paint(subtitle: SubtitleLayer, count: number): Painting | null {
    const { plan, tools } = this.#tools.prepared;
    const { measure } = tools;
    const layout = layoutSubtitle(subtitle, measure);
    const rect = layout && visiblePart(layout.bounds, plan.canvas);
    if (layout === null || rect === null) return null;
    const spoken = subtitle.words.length === 0 ? null : { boxes: wordBoxes(subtitle, layout, measure), count };
    const draw = this.#tools.surfaces.paint(rect, (context) => drawSubtitle(context, subtitle, layout, spoken));
    return atRest({ rect, rgba: draw });
  }
}
