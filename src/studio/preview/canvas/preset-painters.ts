import { ExportError } from '../../../errors.ts';
import type { DecodedPicture, KeptPictures } from '../../../paint/draw/card/item-pictures.ts';
import { KeptCards } from '../../../paint/draw/card/kept-cards.ts';
import { CanvasPainter } from '../../../paint/draw/layer/canvas-painter.ts';
import { preparePainting } from '../../../paint/draw/layer/prepare-painting.ts';
import { textsIn } from '../../../paint/layout/text/glyph-coverage.ts';
import { measureWith } from '../../../paint/layout/text/text-measure.ts';
import type { Face } from '../../../paint/layout/text/typeface.ts';
import { isSpaceless, type SpacelessRules } from '../../../paint/layout/words/spaceless-text.ts';
import { PAINTED, PAINTED_KINDS, paintedLayer } from '../../../plan/frame/painted-kinds.ts';
import { plannedFonts } from '../../../plan/model/fonts.ts';
import type { PaintedKind, PaintedTypes } from '../../../plan/model/painted-layers.ts';
import type { LayerRef, PaintedRef, RenderPlan } from '../../../plan/model/render-plan.ts';
import * as texts from '../../texts/en/preview.ts';
import type { BrowserFonts, FontState } from './browser-fonts.ts';
import { createBrowserSurface } from './browser-surface.ts';
import type { MediaFiles } from './media-files.ts';

interface Kept {
  readonly name: string;
  readonly painter: Promise<CanvasPainter>;
}

interface Made {
  readonly cards: KeptCards;
  readonly pictures: KeptPictures;
}

/** A painter for each preset. It is reused while nothing that it paints changes, since preparing one is expensive. */
export class PresetPainters {
  readonly #files: MediaFiles;
  readonly #fonts: BrowserFonts;
  #rules: SpacelessRules | null = null;
  readonly #kept = new Map<string, Kept>();
  /** What an edit of the board does not change, by preset. */
  readonly #made = new Map<string, Made>();
  /** Pictures of items by hash and size, so that an edit of the board does not decode five hundred files again. */
  readonly #pictures = new Map<string, Promise<ImageBitmap | null>>();
  /** Hashes of pictures that this browser cannot show. */
  readonly #unshown = new Set<string>();
  /** Cached, since serializing a plan of hours takes time, and it is shown many times. */
  readonly #names = new WeakMap<RenderPlan, string>();
  /** By plan, then by layer. */
  readonly #texts = new WeakMap<RenderPlan, Map<object, ReadonlySet<string>>>();
  #measure = measureWith(createBrowserSurface(1, 1).context);

  constructor(files: MediaFiles, fonts: BrowserFonts) {
    this.#files = files;
    this.#fonts = fonts;
  }

  /** A font or a file has arrived: everything painted without it is painted again. */
  forget(): void {
    this.#kept.clear();
    this.#made.clear();
    this.#measure = measureWith(createBrowserSurface(1, 1).context);
  }

  /** Whether the texts of a frame have the fonts of the export. */
  fontsAt(preset: string, plan: RenderPlan, layers: readonly LayerRef[]): FontState {
    // The painter was dropped because something arrived, and is about to be prepared again.
    if (!this.#kept.has(preset)) return 'coming';
    const texts = layers.flatMap((ref) => (ref.kind === 'clip' ? [] : [...this.#written(plan, ref)]));
    return this.#fonts.stateOf(texts);
  }

  /** Every text on a layer. Cached: a board may have thousands, and is visible for many frames. */
  #written(plan: RenderPlan, ref: PaintedRef): ReadonlySet<string> {
    const known = this.#texts.get(plan) ?? new Map<object, ReadonlySet<string>>();
    this.#texts.set(plan, known);
    const layer = paintedLayer(plan, ref);
    const texts = known.get(layer) ?? textsIn(written(ref.kind, layer, plan));
    known.set(layer, texts);
    return texts;
  }

  painter(preset: string, plan: RenderPlan): Promise<CanvasPainter> {
    const name = this.#nameOf(plan);
    const kept = this.#kept.get(preset);
    if (kept?.name === name) return kept.painter;
    const made = this.#made.get(preset) ?? { cards: new KeptCards(), pictures: new Map() };
    this.#made.set(preset, made);
    const painter = this.#prepare(plan, made);
    this.#kept.set(preset, { name, painter });
    // A failure, such as a font that did not load, is not cached.
    painter.catch(() => {
      if (this.#kept.get(preset)?.name === name) this.#kept.delete(preset);
    });
    return painter;
  }

  #nameOf(plan: RenderPlan): string {
    let name = this.#names.get(plan);
    if (name === undefined) {
      name = JSON.stringify(paintedOf(plan));
      this.#names.set(plan, name);
    }
    return name;
  }

  async #prepare(plan: RenderPlan, kept: Made): Promise<CanvasPainter> {
    const texts = textsIn([plan.title, plan.board, layerTexts(plan)]);
    const fonts = plannedFonts(plan);
    const named = fonts.flatMap(({ source, families }) => (source === null ? Object.values(families) : []));
    await Promise.all([this.#fonts.ready(texts, named), this.#wordsFor(texts)]);
    for (const { source, families } of fonts) {
      // A browser that cannot use it falls back to the next family.
      if (source !== null) await this.#fonts.take(families.text, await this.#files.file(plan.sources[source]!.hash));
    }
    const measured = this.#measure;
    const measure = (text: string, face: Face) => measured(text, face);
    const painting = await preparePainting(plan, {
      createSurface: createBrowserSurface,
      straightAlpha: true,
      measure: Object.assign(measure, {
        own: plan.theme.font,
        spaceless: () => this.#rules!,
      }),
      coverage: () => this.#fonts.coverage,
      loadPicture: (field, maxPx) => this.#picture(plan, field, maxPx),
      kept,
    });
    return new CanvasPainter(painting);
  }

  /** The field of a picture that this browser cannot show: its card has only its name. Null if there is none. */
  lackedPicture({ sources }: RenderPlan): string | null {
    return sources.find(({ hash }) => this.#unshown.has(hash))?.field ?? null;
  }

  /** Few texts need the word lists, so they load on demand. */
  async #wordsFor(texts: ReadonlySet<string>): Promise<void> {
    if (![...texts].some(isSpaceless)) return;
    const { wordRules: rules, wordsFor } = await import('./browser-words.ts');
    await wordsFor(texts);
    this.#rules = rules;
  }

  async #picture(plan: RenderPlan, field: string, maxPx: number): Promise<DecodedPicture> {
    const hash = plan.sources.find((source) => source.field === field)!.hash;
    const key = `${hash} ${maxPx}`;
    let loading = this.#pictures.get(key);
    if (loading === undefined) {
      loading = this.#files.bitmap(hash, maxPx);
      this.#pictures.set(key, loading);
    }
    const bitmap = await loading;
    if (bitmap !== null) {
      this.#unshown.delete(hash);
      return { bitmap, release: () => {} };
    }
    this.#unshown.add(hash);
    this.#pictures.delete(key);
    throw new ExportError('unsupported', 'paint.image_format', texts.pictureFormat);
  }
}

/**
 * Everything in a plan that decides a painter, besides its arguments for each frame: the content of the board, its sizes, and all
 * texts. Times and positions may change without painting a board of five hundred cards again.
 */
function paintedOf(plan: RenderPlan): unknown {
  const { canvas, theme, title, board, painted, sources } = plan;
  const pictures = board?.items.map(({ image }) => (image === null ? null : sources[image]!.hash));
  const sizes = new Set(painted.board.map(({ rect }) => `${rect.width}x${rect.height}`));
  return [canvas, theme, title, board, pictures, [...sizes].sort(), [...textsIn(layerTexts(plan))]];
}

/** The texts of all layers, except the board, which they share. */
function layerTexts({ painted }: RenderPlan): unknown[] {
  return PAINTED_KINDS.flatMap((kind) =>
    painted[kind].map((layer) => written(kind, layer, { title: '', board: null })),
  );
}

function written<Kind extends PaintedKind>(
  kind: Kind,
  layer: PaintedTypes[Kind],
  on: Pick<RenderPlan, 'title' | 'board'>,
): unknown {
  return PAINTED[kind].written(layer, on);
}
