import '../kit/no-eval.ts';
import { ExportError } from '../../errors.ts';
import { drawThumbnail } from '../../paint/draw/layer/draw-thumbnail.ts';
import { textsIn } from '../../paint/layout/text/glyph-coverage.ts';
import { type MeasureText, measureWith } from '../../paint/layout/text/text-measure.ts';
import type { Face } from '../../paint/layout/text/typeface.ts';
import { isSpaceless, type SpacelessRules } from '../../paint/layout/words/spaceless-text.ts';
import { publishedOf } from '../../plan/publishing-kit.ts';
import { planThumbnail, THUMBNAIL_FILE, type ThumbnailPlan } from '../../plan/thumbnail-plan.ts';
import type { ExportRequest } from '../../timeline/export-request.ts';
import { parseRequest } from '../../timeline/parse/parse-request.ts';
import type { FromThumbnails, ThumbnailOrder, ToThumbnails } from '../export/publish-messages.ts';
import { reportRejections, workerScope } from '../kit/worker-scope.ts';
import { BrowserFonts } from '../preview/canvas/browser-fonts.ts';
import { createBrowserSurface } from '../preview/canvas/browser-surface.ts';
import { MediaFiles } from '../preview/canvas/media-files.ts';

reportRejections();

/** Words that are drawn besides those of a project. */
const OWN_WORDS = 'VS ? …';

let request: ExportRequest;
let facts: ThumbnailOrder['facts'];
const fonts = new BrowserFonts(() => {});
const waiting = new Map<number, (found: Blob | ImageBitmap | null) => void>();
let asks = 0;
const files = new MediaFiles(
  (hash) => ask<Blob>({ kind: 'ask_file', ask: 0, hash }),
  (hash, maxPx) => ask<ImageBitmap>({ kind: 'ask_drawing', ask: 0, hash, maxPx }),
  () => {},
);

workerScope.onmessage = async ({ data }: MessageEvent<ToThumbnails>) => {
  if (data.kind === 'open') {
    const { documents, subtitleTexts, limits, presets } = data.order;
    facts = data.order.facts;
    request = parseRequest(documents, { limits, presets, uploads: new Set(facts.keys()), subtitleTexts });
    post({ kind: 'opened', published: publishedOf(request) });
  } else if (data.kind === 'found') {
    waiting.get(data.ask)?.(data.found);
    waiting.delete(data.ask);
  } else post({ kind: 'drawn', draw: data.draw, picture: await drawn(data) });
};

function post(message: FromThumbnails): void {
  workerScope.postMessage(message);
}

function ask<Found extends Blob | ImageBitmap>(
  question: Extract<FromThumbnails, { readonly ask: number }>,
): Promise<Found | null> {
  asks += 1;
  post({ ...question, ask: asks });
  return new Promise((resolve) => waiting.set(asks, resolve as (found: Blob | ImageBitmap | null) => void));
}

/** A thumbnail as a file; null: the style cannot be drawn, such as two rivals of one item. */
async function drawn({ looks }: Extract<ToThumbnails, { readonly kind: 'draw' }>): Promise<Blob | null> {
  try {
    const plan = planThumbnail(request, looks, facts);
    const { surface } = await drawThumbnail(plan, {
      createSurface: createBrowserSurface,
      measure: await measureFor(plan),
      loadPicture: async (field, maxPx) => {
        const bitmap = await files.bitmap(plan.sources.find((source) => source.field === field)!.hash, maxPx);
        if (bitmap === null) throw new ExportError('unsupported', 'paint.image_format', field);
        return { bitmap, release: () => bitmap.close() };
      },
    });
    return await fileOf(surface.bitmap as OffscreenCanvas);
  } catch (error) {
    if (error instanceof ExportError) return null;
    throw error;
  }
}

/** Waits for all fonts, as a file cannot be drawn again when one comes. */
async function measureFor({ text, items, rows, theme: { font }, sources }: ThumbnailPlan): Promise<MeasureText> {
  const texts = textsIn([OWN_WORDS, text, items.map(({ name }) => name), rows.map(({ label }) => label)]);
  const rules = [...texts].some(isSpaceless) ? await spacelessRules(texts) : null;
  await fonts.ready(texts, font?.source === null ? Object.values(font.families) : []);
  if (font !== null && font.source !== null) {
    await fonts.take(font.families.text, await files.file(sources[font.source]!.hash));
  }
  await fonts.settled();
  const measure = measureWith(createBrowserSurface(1, 1).context);
  const measured = (part: string, face: Face) => measure(part, face);
  return Object.assign(measured, { own: font, spaceless: () => rules! });
}

async function spacelessRules(texts: ReadonlySet<string>): Promise<SpacelessRules> {
  const { wordRules, wordsFor } = await import('../preview/canvas/browser-words.ts');
  await wordsFor(texts);
  return wordRules;
}

async function fileOf(bitmap: OffscreenCanvas): Promise<Blob> {
  const { maxBytes, qualities } = THUMBNAIL_FILE;
  let file = new Blob();
  for (const quality of qualities) {
    file = await bitmap.convertToBlob({ type: 'image/jpeg', quality: quality / 100 });
    if (file.size < maxBytes) break;
  }
  return file;
}
