import { ExportError, type Issue } from '../../../errors.ts';
import type { BoardScene } from '../../../plan/board-scene.ts';
import type { Canvas, RenderPlan } from '../../../plan/render-plan.ts';
import type { CreateSurface } from '../../canvas-2d.ts';
import { CardPicture, type DecodedPicture } from './card-picture.ts';
import type { PictureSize } from './fit-picture.ts';

/**
 * Decodes the picture uploaded as `field`; it may be scaled down until its shorter side has `maxPx`.
 *
 * @throws ExportError if it cannot be loaded.
 */
export type LoadPicture = (field: string, maxPx: number) => Promise<DecodedPicture>;

/** Which pictures, and what for. */
interface ItemPicturesOrder {
  readonly plan: RenderPlan;
  readonly scene: BoardScene;
  /** The sizes of pictures on the boards of the plan; null if there are too many sizes to scale pictures in advance. */
  readonly sizes: readonly PictureSize[] | null;
  readonly load: LoadPicture;
  readonly createSurface: CreateSurface;
  readonly signal: AbortSignal | undefined;
}

/**
 * The size of a card in the spotlight of a window with the contract's defaults (C21), as a share of the canvas's
 * shorter side.
 */
const SPOTLIT_SHARE = 0.486;
/** Scaling smaller pictures down saves little; hundreds of larger ones take too much memory. */
const MIN_SIDE_PX = 256;
const MAX_SIDE_PX = 768;

/**
 * The picture of every item, one file after the other so that only one is in memory at full size; null for an item
 * without a picture, or one whose picture cannot be loaded, which adds a warning. (R12)
 */
export async function loadItemPictures(order: ItemPicturesOrder, warnings: Issue[]): Promise<(CardPicture | null)[]> {
  const { plan, scene, sizes, load, createSurface, signal } = order;
  const maxPx = maxSidePx(plan.canvas);
  // A card larger than the kept picture is shown close up; it is scaled when it is drawn, like the spotlit ones.
  const isMade = ({ width, height }: PictureSize) => Math.min(width, height) <= maxPx;
  const made = sizes?.filter(isMade) ?? [];
  const all = sizes === null || !sizes.every(isMade);
  const spotlit = spotlitSources(scene);
  const sources = new Set(scene.items.flatMap(({ image }) => (image === null ? [] : [image])));
  const loaded = new Map<number, CardPicture | ExportError>();
  for (const source of sources) {
    signal?.throwIfAborted();
    try {
      const decoded = await load(plan.sources[source]!.field, maxPx);
      const framings = scene.items.filter(({ image }) => image === source);
      const uses = { framings, sizes: made, others: all || spotlit.has(source), maxPx };
      loaded.set(source, new CardPicture(decoded, uses, createSurface));
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

/**
 * One size for all pictures of a canvas, independent of their use in the plan: the canvas is in every key, the rest is
 * not.
 */
function maxSidePx({ width, height }: Canvas): number {
  return Math.min(MAX_SIDE_PX, Math.max(MIN_SIDE_PX, Math.ceil(Math.min(width, height) * SPOTLIT_SHARE)));
}

/** The pictures of cards that are seen larger than on the board: in a spotlight, or on their way there. */
function spotlitSources({ events, items }: BoardScene): Set<number | null> {
  const grown = events.filter(({ style }) => style !== 'pop' && style !== 'none');
  return new Set(grown.map(({ item }) => items[item]!.image));
}
