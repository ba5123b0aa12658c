import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { initWasm } from '@resvg/resvg-wasm';
import { packageFile } from '../../platform/program-files.ts';
import { limitWasmMemory } from './limit-wasm-memory.ts';
import { drawSvg, MAX_PAGES, type SvgOrder } from './svg-drawing.ts';

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
  port.postMessage(
    drawSvg(
      order,
      SVG_FONTS[order.fonts].map((file) => readFileSync(file)),
    ),
  );
});

const latin = [
  expo('noto-sans', '400Regular/NotoSans_400Regular.ttf'),
  expo('noto-sans', '700Bold/NotoSans_700Bold.ttf'),
  expo('noto-sans', '800ExtraBold/NotoSans_800ExtraBold.ttf'),
];

/** The fonts of drawings, by the needs of their texts. */
export const SVG_FONTS: Readonly<Record<SvgOrder['fonts'], readonly string[]>> = {
  none: [],
  latin,
  all: [
    ...latin,
    expo('noto-sans-arabic', '700Bold/NotoSansArabic_700Bold.ttf'),
    expo('noto-sans-hebrew', '700Bold/NotoSansHebrew_700Bold.ttf'),
    packageFile('@embedpdf/fonts-jp', 'fonts/NotoSansJP-Bold.otf'),
    packageFile('@embedpdf/fonts-kr', 'fonts/NotoSansKR-Bold.otf'),
    packageFile('@embedpdf/fonts-sc', 'fonts/NotoSansHans-Bold.otf'),
  ],
};

function expo(name: string, file: string): string {
  return packageFile(`@expo-google-fonts/${name}`, file);
}
