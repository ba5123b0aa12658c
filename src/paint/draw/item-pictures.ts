import { ExportError, type Issue } from '../../errors.ts';
import type { BoardScene, RenderPlan } from '../../plan/render-plan.ts';
import type { Bitmap } from '../canvas-2d.ts';
import type { BoardLayout } from '../layout/board-layout.ts';
import { spotlightPx } from '../layout/spotlight-place.ts';
import { MOST_SPRITE_PX } from './card-sprites.ts';

/**
 * Decodes the picture uploaded as `field`, cut to a square by `cover` and scaled to `sidePx`.
 *
 * @throws ExportError where it cannot be had.
 */
export type LoadPicture = (field: string, sidePx: number) => Promise<Bitmap>;

/** Which pictures, for which boards. */
export interface ItemPicturesOrder {
  readonly plan: RenderPlan;
  readonly scene: BoardScene;
  readonly layouts: readonly BoardLayout[];
  readonly load: LoadPicture;
  readonly signal: AbortSignal | undefined;
}

/** Pictures are kept at the largest size any board shows them at, but all together within this. */
const PICTURE_BUDGET_BYTES = 128 * 1024 * 1024;

/**
 * The picture of every item, one file after the other so that never more than one is in memory at full size; null for an
 * item that has none or whose picture cannot be had, which `warnings` then tells. (R12)
 */
export async function loadItemPictures(order: ItemPicturesOrder, warnings: Issue[]): Promise<(Bitmap | null)[]> {
  const { plan, scene, layouts, load, signal } = order;
  const sources = new Set(scene.items.flatMap(({ image }) => (image === null ? [] : [image])));
  const sidePx = pictureSidePx(scene, layouts, sources.size);
  const loaded = new Map<number, Bitmap | ExportError>();
  for (const source of layouts.length === 0 ? [] : sources) {
    signal?.throwIfAborted();
    try {
      loaded.set(source, await load(plan.sources[source]!.field, sidePx));
    } catch (error) {
      if (!(error instanceof ExportError)) throw error;
      loaded.set(source, error);
    }
  }
  return scene.items.map(({ image, name }, item) => {
    const picture = image === null ? undefined : loaded.get(image);
    if (!(picture instanceof ExportError)) return picture ?? null;
    const message = `${picture.message} “${name}” is shown as a card with its name.`;
    warnings.push({ path: `/tier_list/items/${item}/file_field`, code: picture.code, message });
    return null;
  });
}

function pictureSidePx(scene: BoardScene, layouts: readonly BoardLayout[], count: number): number {
  const shownPx = layouts.map((layout) => (scene.reveal === 'spotlight' ? spotlightPx(layout) : layout.cardPx));
  const affordedPx = Math.floor(Math.sqrt(PICTURE_BUDGET_BYTES / 4 / Math.max(1, count)));
  return Math.max(1, Math.min(Math.ceil(Math.max(0, ...shownPx)), affordedPx, MOST_SPRITE_PX));
}
