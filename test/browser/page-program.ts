import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Bitmap, Canvas2D, Surface } from '../../src/paint/canvas-2d.ts';
import type { DecodedPicture } from '../../src/paint/draw/card/item-pictures.ts';
import { CanvasPainter } from '../../src/paint/draw/layer/canvas-painter.ts';
import { preparePainting } from '../../src/paint/draw/layer/prepare-painting.ts';
import type { Coverage } from '../../src/paint/layout/text/glyph-coverage.ts';
import { type MeasureText, measureWith } from '../../src/paint/layout/text/text-measure.ts';
import { listedRules, readListedWords } from '../../src/paint/layout/words/listed-words.ts';
import type { SpacelessScript, Words } from '../../src/paint/layout/words/spaceless-text.ts';
import { flattenedBoard } from '../../src/paint/pixels/flattened-board.ts';
import { boardEffects } from '../../src/plan/frame/frame-at.ts';
import type { MediaFacts } from '../../src/plan/model/media-facts.ts';
import type { PaintedPicture } from '../../src/plan/model/painter.ts';
import type { RenderPlan } from '../../src/plan/model/render-plan.ts';
import { planRender } from '../../src/plan/plan-render.ts';
import { frames } from '../../src/time.ts';
import { DEFAULT_TIMELINE_LIMITS } from '../../src/timeline/limits.ts';
import { parseRequest } from '../../src/timeline/parse/parse-request.ts';
import { DEFAULT_PRESETS, findPreset } from '../../src/timeline/presets.ts';
import type { RequestDocuments } from '../../src/timeline/request-documents.ts';
import { layoutsOf } from './layouts-of.ts';

/** A request as it goes into a page: plain data. */
export interface PageRequest {
  readonly documents: RequestDocuments;
  readonly media: Readonly<Record<string, MediaFacts>>;
  readonly preset?: string;
}

/** What is to be painted: the board at a frame, then all subtitles. */
export interface PagePainting {
  readonly plan: RenderPlan;
  readonly frame: number;
}

/** A painted picture whose pixels are encoded as text. */
export interface PagePicture extends Omit<PaintedPicture, 'rgba'> {
  readonly base64: string;
}

/** The functions that a page offers. */
export interface Page {
  /** The plan of a `PageRequest`; text in, text out. */
  plan(request: string): string;
  /** Loads fonts, by family and address, before anything is painted. */
  loadFonts(fonts: readonly { readonly family: string; readonly url: string }[], coverage: Coverage): Promise<void>;
  /** Loads the word lists of scripts without spaces, by address, and removes the browser's own segmenter. */
  loadWords(lists: readonly { readonly script: SpacelessScript; readonly url: string }[]): Promise<void>;
  /** The position of everything in a plan, as JSON. */
  layouts(plan: RenderPlan): string;
  /** Pictures come from `/FIELD`. */
  paint(painting: PagePainting): Promise<{ pictures: (PagePicture | null)[]; warnings: readonly string[] }>;
}

// Only these few types of a browser, so that the rest of the project is not checked as if it ran in one.
declare const OffscreenCanvas: new (
  width: number,
  height: number,
) => Bitmap & { getContext(kind: '2d', settings: { willReadFrequently: boolean }): Canvas2D };
declare const FontFace: new (family: string, source: string) => { load(): Promise<object> };
declare const document: { readonly fonts: { add(font: object): void } };
declare function createImageBitmap(blob: Blob): Promise<Bitmap & { close(): void }>;

let coverage: Coverage = [];
const words = new Map<SpacelessScript, Words>();
const rules = listedRules((script) => words.get(script)!);

const page: Page = {
  plan(text) {
    const { documents, media, preset }: PageRequest = JSON.parse(text);
    const facts = new Map(Object.entries(media));
    const limits = DEFAULT_TIMELINE_LIMITS;
    const request = parseRequest(documents, { limits, presets: DEFAULT_PRESETS, uploads: new Set(facts.keys()) });
    const plan = planRender(request, {
      facts,
      preset: findPreset(DEFAULT_PRESETS, preset ?? request.settings.preset)!,
      limits,
      engineVersion: 'test',
      sha256: (text) => bytesToHex(sha256(utf8ToBytes(text))),
    });
    return JSON.stringify(plan);
  },

  async loadFonts(fonts, covered) {
    coverage = covered;
    for (const { family, url } of fonts) document.fonts.add(await new FontFace(family, `url(${url})`).load());
  },

  async loadWords(lists) {
    for (const { script, url } of lists) {
      const unpacked = (await fetch(url)).body!.pipeThrough(new DecompressionStream('gzip'));
      words.set(script, readListedWords(await new Response(unpacked).bytes(), script));
    }
    const { Segmenter } = Intl;
    Object.assign(Intl, {
      Segmenter: class extends Segmenter {
        constructor(locales?: Intl.LocalesArgument, options?: Intl.SegmenterOptions) {
          if (options?.granularity === 'word') throw new Error('words are not the browser’s to find');
          super(locales, options);
        }
      },
    });
  },

  layouts: (plan) => JSON.stringify(layoutsOf(plan, measureOf(plan))),

  async paint({ plan, frame }) {
    const measure = measureOf(plan);
    const tools = { createSurface, measure, loadPicture, coverage: () => coverage };
    const painter = new CanvasPainter(await preparePainting(plan, tools));
    const pictures = [
      ...plan.painted.board.map((window) => {
        const painting = painter.paint('board', window, frames(frame));
        return painting && flattenedBoard(painting, 'board', boardEffects(plan, window, frames(frame)).dim);
      }),
      ...plan.painted.title.map((title) => painter.paint('title', title, frames(frame))?.still ?? null),
      ...plan.painted.subtitle.map((subtitle) => painter.paint('subtitle', subtitle, frames(frame))?.still ?? null),
    ];
    return {
      pictures: pictures.map((picture) => picture && asText(picture)),
      warnings: painter.warnings.map(({ code }) => code),
    };
  },
};

/** In the font of the plan's theme. */
function measureOf({ theme }: RenderPlan): MeasureText {
  return Object.assign(measureWith(createSurface(1, 1).context), { own: theme.font, spaceless: () => rules });
}

function createSurface(width: number, height: number): Surface {
  const bitmap = new OffscreenCanvas(width, height);
  return { bitmap, context: bitmap.getContext('2d', { willReadFrequently: true }) };
}

async function loadPicture(field: string): Promise<DecodedPicture> {
  const bitmap = await createImageBitmap(await (await fetch(`/${field}`)).blob());
  return { bitmap, release: () => bitmap.close() };
}

function asText({ rect, rgba }: PaintedPicture): PagePicture {
  let text = '';
  for (let at = 0; at < rgba.length; at += 8192) text += String.fromCharCode(...rgba.subarray(at, at + 8192));
  return { rect, base64: btoa(text) };
}

Object.assign(globalThis, { page });
