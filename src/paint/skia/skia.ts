import './no-system-fonts.ts';
import { readFile } from 'node:fs/promises';
import { createCanvas, type FontKey, GlobalFonts, type Canvas as SkiaCanvas } from '@napi-rs/canvas';
import { ExportError } from '../../errors.ts';
import type { PlanFont } from '../../plan/model/theme.ts';
import type { Canvas2D, Surface } from '../canvas-2d.ts';
import { FONT_FILES } from '../fonts/font-files.ts';
import { spacelessRules } from '../fonts/word-files.ts';
import { type MeasureText, measureWith } from '../layout/text/text-measure.ts';
import type { Face } from '../layout/text/typeface.ts';

/** A surface that can be written to a picture file. */
export interface SkiaSurface extends Surface {
  readonly bitmap: SkiaCanvas;
}

/** An empty surface on Skia. */
export function createSkiaSurface(width: number, height: number): SkiaSurface {
  const bitmap = createCanvas(width, height);
  const resize = (toWidth: number, toHeight: number) => {
    bitmap.width = toWidth;
    bitmap.height = toHeight;
  };
  return { bitmap, context: bitmap.getContext('2d') satisfies Canvas2D, pixels: () => bitmap.data(), free, resize };
}

/** Each copy of pixels has memory of its own, which goes back to Skia's allocator when the event loop turns. */
function free({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/**
 * Measures in our fonts. Every drawn text has been measured before, in the same face: so its fonts are loaded by then.
 */
export function createSkiaMeasure(own: PlanFont | null = null): MeasureText {
  const measure = measureWith(createSkiaSurface(1, 1).context);
  const registering = (text: string, face: Face) => {
    registerFonts(face.names);
    return measure(text, face);
  };
  return Object.assign(registering, { own, spaceless: spacelessRules });
}

/**
 * Registers an uploaded font with Skia. Parses it, so it must run in the jail.
 *
 * @throws `media.broken_font`.
 */
export async function registerOwnFont(path: string, family: string): Promise<void> {
  if (registered.has(family)) return;
  await registerFile(path, family);
  registered.add(family);
}

/**
 * Checks whether a file is a usable font.
 *
 * @throws `media.broken_font`.
 */
export async function checkFont(path: string): Promise<void> {
  GlobalFonts.remove(await registerFile(path, 'Tiercut Looked Into'));
}

async function registerFile(path: string, family: string): Promise<FontKey> {
  const bytes = await readFile(path);
  const key = bytes.length > MAX_FONT_BYTES ? null : GlobalFonts.register(bytes, family);
  if (key !== null) return key;
  const message = `The font is damaged, or larger than ${MAX_FONT_BYTES / 2 ** 20} MB; a TTF, OTF or WOFF2 file was expected.`;
  throw new ExportError('invalid', 'media.broken_font', message);
}

/** The largest we ship, with thousands of coloured pictures, has 24. */
const MAX_FONT_BYTES = 32 * 2 ** 20;

const registered = new Set<string>();

/** Makes families of ours known to Skia, each once a process. */
export function registerFonts(names: readonly string[]): void {
  for (const name of names) {
    if (registered.has(name)) continue;
    const path = FONT_FILES.find(({ family }) => family === name)?.path;
    if (path === undefined || GlobalFonts.registerFromPath(path, name) === null) {
      throw new Error(`the font of ${name} cannot be read`);
    }
    registered.add(name);
  }
}
