import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { messageOf } from '../../errors.ts';
import { limitWasmMemory } from './limit-wasm-memory.ts';
import { SVG_FONTS } from './svg-fonts.ts';

/** A request to the thread. */
export interface SvgOrder {
  readonly svg: string;
  /** The side that gets this many pixels. */
  readonly fitTo: { readonly mode: 'width' | 'height'; readonly value: number };
  readonly fonts: keyof typeof SVG_FONTS;
}

/** The drawing as straight RGBA, or a failure. */
export type SvgReply =
  | { readonly width: number; readonly height: number; readonly rgba: Uint8Array }
  | {
      readonly failed: string;
      /** Whether it stopped in the middle: out of memory, out of stack, or by a bug. */
      readonly trapped: boolean;
    };

/** 256 MiB: a few dozen layers of the largest requested picture. */
const MAX_PAGES = 4_096;

const require = createRequire(import.meta.url);

/**
 * The thread that draws SVGs, by resvg as WebAssembly: it cannot access files or the network, runs no scripts, draws
 * the same pixels on every processor, has bounded memory, and can be ended at any moment. (Elsewhere it is imported
 * only to compile it, and does nothing.)
 */
const program = limitWasmMemory(readFileSync(require.resolve('@resvg/resvg-wasm/index_bg.wasm')), MAX_PAGES);
await initWasm(program);
const port = parentPort;

port?.on('message', (order: SvgOrder) => {
  port.postMessage(draw(order));
});

function draw({ svg, fitTo, fonts }: SvgOrder): SvgReply {
  try {
    const drawing = new Resvg(svg, {
      fitTo,
      font: { fontBuffers: SVG_FONTS[fonts].map((file) => readFileSync(file)), ...FAMILIES },
    });
    const image = drawing.render();
    const { width, height, pixels } = image;
    const reply = { width, height, rgba: straight(pixels) };
    image.free();
    drawing.free();
    return reply;
  } catch (error) {
    const trapped = error instanceof Error && (error.name === 'RuntimeError' || error.name === 'RangeError');
    return { failed: messageOf(error), trapped };
  }
}

/** resvg returns colours multiplied by their alpha. */
function straight(premultiplied: Uint8Array): Uint8Array {
  const rgba = new Uint8Array(premultiplied);
  for (let at = 0; at < rgba.length; at += 4) {
    const alpha = rgba[at + 3]!;
    if (alpha === 0 || alpha === 255) continue;
    for (let n = at; n < at + 3; n += 1) rgba[n] = Math.min(255, Math.round((rgba[n]! * 255) / alpha));
  }
  return rgba;
}

/** Replaces every family that a drawing names, on every machine. */
const FAMILY = 'Noto Sans';
const FAMILIES = {
  defaultFontFamily: FAMILY,
  sansSerifFamily: FAMILY,
  serifFamily: FAMILY,
  monospaceFamily: FAMILY,
  cursiveFamily: FAMILY,
  fantasyFamily: FAMILY,
};
