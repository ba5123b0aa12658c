import { ExportError, type Issue } from '../../../errors.ts';
import type { BoardScene } from '../../../plan/model/board-scene.ts';
import type { Canvas } from '../../../plan/model/canvas.ts';
import type { RenderPlan } from '../../../plan/model/render-plan.ts';
import type { Bitmap, CreateSurface } from '../../canvas-2d.ts';
import { type Framing, fitPicture, type PictureLook, type PictureSize, pictureLook } from './fit-picture.ts';

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
  readonly kept: KeptPictures | undefined;
  readonly signal: AbortSignal | undefined;
}

/** The pictures of the last plan. They are used again if they have the same content and uses. */
export type KeptPictures = Map<string, CardPicture>;

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
  const { plan, scene, sizes, load, createSurface, kept, signal } = order;
  const maxPx = maxSidePx(plan.canvas);
  // A card larger than the kept picture is shown close up; it is scaled when it is drawn, like the spotlit ones.
  const isMade = ({ width, height }: PictureSize) => Math.min(width, height) <= maxPx;
  const made = sizes?.filter(isMade) ?? [];
  const all = sizes === null || !sizes.every(isMade);
  const spotlit = spotlitSources(scene);
  const sources = new Set(scene.items.flatMap(({ image }) => (image === null ? [] : [image])));
  const loaded = new Map<number, CardPicture | ExportError>();
  const next: KeptPictures = new Map();
  for (const source of sources) {
    signal?.throwIfAborted();
    const { field, hash } = plan.sources[source]!;
    const framings = scene.items
      .filter(({ image }) => image === source)
      .map(({ fit, view }): Framing => ({ fit, ...(view && { view }) }));
    const uses = { framings, sizes: made, others: all || spotlit.has(source), maxPx };
    const key = kept === undefined ? '' : JSON.stringify([hash, uses]);
    try {
      const picture = kept?.get(key) ?? new CardPicture(await load(field, maxPx), uses, createSurface);
      loaded.set(source, picture);
      next.set(key, picture);
    } catch (error) {
      if (!(error instanceof ExportError)) throw error;
      loaded.set(source, error);
    }
  }
  kept?.clear();
  for (const [key, picture] of next) kept?.set(key, picture);
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

/** A decoded picture, upright and complete. */
export interface DecodedPicture {
  readonly bitmap: Bitmap;
  /** Frees the pixels. Not `Disposable`, which some browsers do not support. */
  release(): void;
}

/** The sizes at which a picture will be used. */
interface PictureUses {
  readonly framings: readonly Framing[];
  /** Those that are made at once, from the file itself. */
  readonly sizes: readonly PictureSize[];
  /** Whether it will be seen at other sizes, too. */
  readonly others: boolean;
  /** The shorter side that is kept for those. */
  readonly maxPx: number;
}

/** The longer side of a kept picture is at most this many times `maxPx`. */
const MAX_STRETCH = 2;

/**
 * An item's picture on its card. Its look at a size must not depend on other requested sizes, nor on the rest of the
 * plan: a chunk's key contains neither. (R18)
 */
export class CardPicture {
  readonly look: PictureLook;
  readonly #createSurface: CreateSurface;
  readonly #cards = new Map<string, Bitmap>();
  readonly #kept: Bitmap | null;

  /** Takes over `decoded`. */
  constructor(decoded: DecodedPicture, uses: PictureUses, createSurface: CreateSurface) {
    this.#createSurface = createSurface;
    const { bitmap } = decoded;
    this.look = pictureLook(bitmap, createSurface);
    for (const framing of uses.framings) {
      for (const size of uses.sizes) {
        const key = keyOf(size, framing);
        if (!this.#cards.has(key)) this.#cards.set(key, this.#fitted(bitmap, size, framing));
      }
    }
    this.#kept = uses.others ? this.#smaller(bitmap, uses.maxPx) : null;
    if (this.#kept !== bitmap) decoded.release();
  }

  /** The picture for a card of that size. */
  card(size: PictureSize, framing: Framing): Bitmap {
    return this.#cards.get(keyOf(size, framing)) ?? this.large(size, framing);
  }

  /** The picture for a card that is shown large, at many sizes for a short time each. */
  large(size: PictureSize, framing: Framing): Bitmap {
    if (this.#kept === null) throw new Error(`the picture was not kept for ${size.width}×${size.height}`);
    return this.#fitted(this.#kept, size, framing);
  }

  #fitted(whole: Bitmap, size: PictureSize, framing: Framing): Bitmap {
    return fitPicture(whole, this.look, size, framing, this.#createSurface);
  }

  /** The whole picture, scaled down if it is large. */
  #smaller(bitmap: Bitmap, maxPx: number): Bitmap {
    const [short, long] = [Math.min(bitmap.width, bitmap.height), Math.max(bitmap.width, bitmap.height)];
    const scale = Math.min(1, maxPx / short, (MAX_STRETCH * maxPx) / long);
    if (scale === 1) return bitmap;
    const side = (px: number) => Math.max(1, Math.round(px * scale));
    return this.#fitted(bitmap, { width: side(bitmap.width), height: side(bitmap.height) }, { fit: 'cover' });
  }
}

function keyOf({ width, height }: PictureSize, { fit, view }: Framing): string {
  return `${fit} ${width}x${height} ${view === undefined ? '' : [view.x, view.y, view.scale]}`;
}
