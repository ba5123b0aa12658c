import { RecentMap } from '../../../collections/recent-map.ts';
import type { SubtitleLayer } from '../../../plan/layers/painted-layers.ts';
import type { Painting } from '../../../plan/overlay-painter.ts';
import type { Frames } from '../../../time.ts';
import { visiblePart } from '../../layout/box.ts';
import { layoutSubtitle } from '../../layout/text/subtitle-layout.ts';
import { wordBoxes } from '../../layout/text/word-boxes.ts';
import { drawCaption } from '../draw-caption.ts';
import { drawSubtitle } from '../draw-subtitle.ts';
import { atRest, KEPT_OVERLAYS, type LayerPainter, type LayerTools } from './layer-painter.ts';

/** How many words have been spoken, and how far the last one has grown, from 0 to 1. */
interface SpokenState {
  readonly count: number;
  readonly grown: number;
}

/** Texts in their boxes, which they may outgrow upward. (R14) */
export class SubtitleTexts implements LayerPainter<'subtitle'> {
  readonly #tools: LayerTools;
  /** With the number of spoken words of the last call. */
  readonly #kept = new RecentMap<SubtitleLayer, { state: SpokenState; painting: Painting | null }>(KEPT_OVERLAYS);

  constructor(tools: LayerTools) {
    this.#tools = tools;
  }

  paint(subtitle: SubtitleLayer, frame: Frames): Painting | null {
    const state = spokenAt(subtitle, frame);
    const kept = this.#kept.getOrMake(subtitle, () => ({ state, painting: this.#paint(subtitle, state) }));
    if (kept.state.count !== state.count || kept.state.grown !== state.grown) {
      kept.painting = this.#paint(subtitle, state);
      kept.state = state;
    }
    return kept.painting;
  }

  #paint(subtitle: SubtitleLayer, state: SpokenState): Painting | null {
    const { plan, tools } = this.#tools.prepared;
    const { measure } = tools;
    const { look } = subtitle;
    const layout = layoutSubtitle(subtitle, measure);
    const rect = layout && visiblePart(layout.bounds, plan.canvas);
    if (layout === null || rect === null) return null;
    const spoken = subtitle.words.length === 0 ? null : { boxes: wordBoxes(subtitle, layout, measure), ...state };
    const rgba = this.#tools.surfaces.paint(rect, (context) => {
      if (look === null) drawSubtitle(context, subtitle, layout, spoken);
      else drawCaption(context, subtitle, look, layout, spoken);
    });
    return atRest({ rect, rgba });
  }
}

function spokenAt({ words, look }: SubtitleLayer, frame: Frames): SpokenState {
  const count = words.filter(({ at }) => at <= frame).length;
  const last = words[count - 1];
  if (last === undefined || look?.highlight !== 'scale') return { count, grown: 1 };
  return { count, grown: Math.min(1, (frame + 1 - last.at) / look.growFrames) };
}
