import { RecentMap } from '../../../collections/recent-map.ts';
import type { TitleLayer } from '../../../plan/layers/painted-layers.ts';
import type { Painting } from '../../../plan/overlay-painter.ts';
import { visiblePart } from '../../layout/box.ts';
import { layoutTitle } from '../../layout/text/title-layout.ts';
import { drawTitle } from '../draw-title.ts';
import { atRest, KEPT_OVERLAYS, type LayerPainter, type LayerTools } from './layer-painter.ts';

/** Opening cards, lower thirds, labels. (C60) */
export class TitleCards implements LayerPainter<'title'> {
  readonly #tools: LayerTools;
  readonly #kept = new RecentMap<TitleLayer, Painting | null>(KEPT_OVERLAYS);

  constructor(tools: LayerTools) {
    this.#tools = tools;
  }

  paint(title: TitleLayer): Painting | null {
    return this.#kept.getOrMake(title, () => this.#paint(title));
  }

  #paint(title: TitleLayer): Painting | null {
    const { plan, tools } = this.#tools.prepared;
    const layout = layoutTitle(title, plan.theme.corner, tools.measure);
    const rect = layout && visiblePart(layout.bounds, plan.canvas);
    if (layout === null || rect === null) return null;
    const rgba = this.#tools.surfaces.paint(rect, (context) => drawTitle(context, title, layout, plan.theme));
    return atRest({ rect, rgba });
  }
}
