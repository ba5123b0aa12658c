import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { limitWasmMemory } from './limit-wasm-memory.ts';

/** What the thread is asked to draw. */
export interface SvgOrder {
  readonly svg: string;
  /** Which side is to have so many pixels. */
  readonly fitTo: { readonly mode: 'width' | 'height'; readonly value: number };
  readonly fonts: 'none' | 'latin' | 'all';
}

/** What it drew: straight RGBA; or that it could not. */
export type SvgReply =
  | { readonly width: number; readonly height: number; readonly rgba: Uint8Array }
  | {
      readonly failed: string;
      /** Whether it broke off in the middle: out of memory, out of stack, or by a fault of its own. */
      readonly trapped: boolean;
    };

/** 256 MiB: a few dozen layers of the largest picture that is asked for. */
const MOST_PAGES = 4_096;

const require = createRequire(import.meta.url);

/**
 * The thread in which drawings are drawn, by resvg as WebAssembly: it has no way to a file or a network, runs no scripts,
 * draws the same pixels on every processor, cannot take more memory than it is given, and can be ended at any moment. (Elsewhere it
 * is imported only to have it compiled, and does nothing.)
 */
const program = limitWasmMemory(readFileSync(require.resolve('@resvg/resvg-wasm/index_bg.wasm')), MOST_PAGES);
await initWasm(program);
const port = parentPort;

port?.on('message', (order: SvgOrder) => {
  port.postMessage(draw(order));
});

function draw({ svg, fitTo, fonts }: SvgOrder): SvgReply {
  try {
    const drawing = new Resvg(svg, { fitTo, font: { fontBuffers: fontBuffers(fonts), ...FAMILIES } });
    const image = drawing.render();
    const { width, height, pixels } = image;
    const reply = { width, height, rgba: straight(pixels) };
    image.free();
    drawing.free();
    return reply;
  } catch (error) {
    const trapped = error instanceof Error && (error.name === 'RuntimeError' || error.name === 'RangeError');
    return { failed: error instanceof Error ? error.message : String(error), trapped };
  }
}

/** resvg gives colours out as much as they are seen. */
function straight(premultiplied: Uint8Array): Uint8Array {
  const rgba = new Uint8Array(premultiplied);
  for (let at = 0; at < rgba.length; at += 4) {
    const alpha = rgba[at + 3]!;
    if (alpha === 0 || alpha === 255) continue;
    for (let n = at; n < at + 3; n += 1) rgba[n] = Math.min(255, Math.round((rgba[n]! * 255) / alpha));
  }
  return rgba;
}

/** Whatever family a drawing asks for, these are the ones there are, on every machine. */
const FAMILY = 'Noto Sans';
const FAMILIES = {
  defaultFontFamily: FAMILY,
  sansSerifFamily: FAMILY,
  serifFamily: FAMILY,
  monospaceFamily: FAMILY,
  cursiveFamily: FAMILY,
  fantasyFamily: FAMILY,
};

const LATIN = [
  ['noto-sans', '400Regular/NotoSans_400Regular.ttf'],
  ['noto-sans', '700Bold/NotoSans_700Bold.ttf'],
  ['noto-sans', '800ExtraBold/NotoSans_800ExtraBold.ttf'],
] as const;
const RIGHT_TO_LEFT = [
  ['noto-sans-arabic', '700Bold/NotoSansArabic_700Bold.ttf'],
  ['noto-sans-hebrew', '700Bold/NotoSansHebrew_700Bold.ttf'],
] as const;
const EAST_ASIAN = [
  ['jp', 'NotoSansJP-Bold.otf'],
  ['kr', 'NotoSansKR-Bold.otf'],
  ['sc', 'NotoSansHans-Bold.otf'],
] as const;

function fontBuffers(fonts: SvgOrder['fonts']): Uint8Array[] {
  const expo = ([name, file]: readonly [string, string]) =>
    join(dirname(require.resolve(`@expo-google-fonts/${name}/package.json`)), file);
  // These packages export their entry alone, which lies one folder down.
  const embedpdf = ([name, file]: readonly [string, string]) =>
    join(dirname(require.resolve(`@embedpdf/fonts-${name}`)), '..', 'fonts', file);
  const latin = LATIN.map(expo);
  const all = [...latin, ...RIGHT_TO_LEFT.map(expo), ...EAST_ASIAN.map(embedpdf)];
  const files = { none: [], latin, all }[fonts];
  return files.map((file) => readFileSync(file));
}
