import type { Issue } from '../../errors.ts';
import type { Rect, RenderPlan } from '../../plan/render-plan.ts';
import type { Bitmap, CreateSurface } from '../canvas-2d.ts';
import { boardRoom, layoutBoard } from '../layout/board-layout.ts';
import { visiblePart } from '../layout/box.ts';
import type { Coverage } from '../layout/glyph-coverage.ts';
import type { MeasureText } from '../layout/text-measure.ts';
import { textWarnings } from '../layout/text-warnings.ts';
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
  /** By item: its picture, square, or null. */
  readonly pictures: readonly (Bitmap | null)[];
  readonly warnings: readonly Issue[];
}

/** Windows, the largest first, that are asked how large their pictures should be. */
const SIZED_WINDOWS = 8;

/**
 * Decodes every picture before the first frame, one after the other, so that they cost little memory and painting never
 * waits. An item whose picture cannot be had becomes a card with its name, and a warning. (R12)
 */
export async function preparePainting(plan: RenderPlan, tools: PaintTools, signal?: AbortSignal): Promise<Painting> {
  const { board: scene, canvas } = plan;
  const warnings = textWarnings(plan, tools.coverage);
  if (scene === null) return { plan, tools, pictures: [], warnings };
  const layouts = distinctSizes(plan)
    .slice(0, SIZED_WINDOWS)
    .map((size) => layoutBoard(scene, boardRoom(size, canvas), tools.measure));
  const pictures = await loadItemPictures({ plan, scene, layouts, load: tools.loadPicture, signal }, warnings);
  return { plan, tools, pictures, warnings };
}

/** The sizes of the windows that are ever seen, largest first. */
function distinctSizes({ windows, canvas }: RenderPlan): Rect[] {
  const seen = windows.map(({ rect }) => rect).filter((rect) => visiblePart(rect, canvas) !== null);
  const bySize = new Map(seen.map((rect) => [`${rect.width}x${rect.height}`, rect]));
  return [...bySize.values()].sort((a, b) => b.width * b.height - a.width * a.height);
}
