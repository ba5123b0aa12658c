import type { Issue } from '../../errors.ts';
import type { BoardScene, RenderPlan } from '../../plan/render-plan.ts';
import type { CreateSurface } from '../canvas-2d.ts';
import { boardRoom, layoutBoard } from '../layout/board-layout.ts';
import { visiblePart } from '../layout/box.ts';
import type { Coverage } from '../layout/glyph-coverage.ts';
import type { MeasureText } from '../layout/text-measure.ts';
import { textWarnings } from '../layout/text-warnings.ts';
import { spritePx } from './card-sprites.ts';
import type { ItemPicture } from './item-picture.ts';
import { type LoadPicture, loadItemPictures } from './item-pictures.ts';

/** What painting is done with: everything that differs between a server and a browser. */
export interface PaintTools {
  readonly createSurface: CreateSurface;
  readonly measure: MeasureText;
  readonly loadPicture: LoadPicture;
  /** What the fonts have glyphs for. */
  readonly coverage: () => Coverage;
}

/** A plan with all that painting it takes: from here on nothing waits. */
export interface Painting {
  readonly plan: RenderPlan;
  readonly tools: PaintTools;
  /** By item. */
  readonly pictures: readonly (ItemPicture | null)[];
  readonly warnings: readonly Issue[];
}

/** Sizes of windows for which pictures are made beforehand; with more of them, all are made as they are needed. */
const MOST_SIZES = 4;

/**
 * Decodes every picture before the first frame, one after the other, so that they cost little memory and painting never
 * waits. An item whose picture cannot be had becomes a card with its name, and a warning. (R12)
 */
export async function preparePainting(plan: RenderPlan, tools: PaintTools, signal?: AbortSignal): Promise<Painting> {
  const { board: scene } = plan;
  const warnings = textWarnings(plan, tools.coverage);
  if (scene === null) return { plan, tools, pictures: [], warnings };
  const { loadPicture: load, createSurface } = tools;
  const cardSidesPx = sidesOfCards(plan, scene, tools.measure);
  const pictures = await loadItemPictures({ plan, scene, cardSidesPx, load, createSurface, signal }, warnings);
  return { plan, tools, pictures, warnings };
}

/** The sides cards have in the windows that are ever seen; null where these are of too many sizes. */
function sidesOfCards({ windows, canvas }: RenderPlan, scene: BoardScene, measure: MeasureText): Set<number> | null {
  const seen = windows.map(({ rect }) => rect).filter((rect) => visiblePart(rect, canvas) !== null);
  const bySize = new Map(seen.map((rect) => [`${rect.width}x${rect.height}`, rect]));
  if (bySize.size > MOST_SIZES) return null;
  const layouts = [...bySize.values()].map((rect) => layoutBoard(scene, boardRoom(rect, canvas), measure));
  return new Set(layouts.map(({ cardPx }) => spritePx(cardPx)));
}
