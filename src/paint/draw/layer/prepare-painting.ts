import type { Issue } from '../../../errors.ts';
import { haveManySizes } from '../../../plan/keys/chunk-key.ts';
import type { BoardScene } from '../../../plan/model/board-scene.ts';
import type { RenderPlan } from '../../../plan/model/render-plan.ts';
import { lookOf } from '../../../plan/theme/theme-looks.ts';
import type { CreateSurface } from '../../canvas-2d.ts';
import { boardRoom, layoutBoard } from '../../layout/board-layout.ts';
import { type Coverage, textWarnings } from '../../layout/text/glyph-coverage.ts';
import type { MeasureText } from '../../layout/text/text-measure.ts';
import { cardSprite, pictureIn } from '../card/card-sprites.ts';
import type { PictureSize } from '../card/fit-picture.ts';
import { type CardPicture, type KeptPictures, type LoadPicture, loadItemPictures } from '../card/item-pictures.ts';
import type { KeptCards } from '../card/kept-cards.ts';

/** The tools for painting: everything that differs between a server and a browser. */
export interface PaintTools {
  readonly createSurface: CreateSurface;
  /** Whether the pixels of its surfaces come with colours as they are rather than multiplied by their alpha. */
  readonly straightAlpha?: boolean;
  /** Whether the large card of the next reveal is drawn while the board rests: an export shows it next, a page may not. */
  readonly drawsAhead?: boolean;
  readonly measure: MeasureText;
  readonly loadPicture: LoadPicture;
  /** The glyphs of the fonts. */
  readonly coverage: () => Coverage;
  /** What earlier plans have made with these tools; absent: nothing is kept. */
  readonly kept?: { readonly cards: KeptCards; readonly pictures: KeptPictures } | undefined;
}

/** A plan with everything that painting it needs: from here on nothing waits. */
export interface PreparedPlan {
  readonly plan: RenderPlan;
  readonly tools: PaintTools;
  /** By item. */
  readonly pictures: readonly (CardPicture | null)[];
  readonly warnings: readonly Issue[];
}

/**
 * Decodes every picture before the first frame, one after the other, so that they need little memory and painting never
 * waits. An item whose picture cannot be loaded becomes a card with its name, and a warning. (R12)
 */
export async function preparePainting(
  plan: RenderPlan,
  tools: PaintTools,
  signal?: AbortSignal,
): Promise<PreparedPlan> {
  const { board: scene } = plan;
  const warnings = textWarnings(plan, tools.coverage);
  if (scene === null) return { plan, tools, pictures: [], warnings };
  const { loadPicture: load, createSurface, kept } = tools;
  const sizes = sizesOfPictures(plan, scene, tools.measure);
  const pictures = await loadItemPictures(
    { plan, scene, sizes, load, createSurface, kept: kept?.pictures, signal },
    warnings,
  );
  return { plan, tools, pictures, warnings };
}

/** The sizes pictures have in the windows; null if these are of too many sizes. */
function sizesOfPictures(
  { painted: { board: windows }, canvas, theme }: RenderPlan,
  scene: BoardScene,
  measure: MeasureText,
): PictureSize[] | null {
  if (haveManySizes(windows)) return null;
  const bySize = new Map(windows.map(({ rect }) => [`${rect.width}x${rect.height}`, rect]));
  const layouts = [...bySize.values()].map((rect) => layoutBoard(scene, boardRoom(rect, canvas, theme), measure));
  return layouts.map((layout) => pictureIn(cardSprite(layout, layout.cardPx), lookOf(theme).card));
}
