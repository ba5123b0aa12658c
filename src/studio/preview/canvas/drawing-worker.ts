import regularFont from '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf';
import { initWasm } from '@resvg/resvg-wasm';
import resvg from '@resvg/resvg-wasm/index_bg.wasm';
import { messageOf } from '../../../errors.ts';
import { readImageHeader } from '../../../image-header/read-image-header.ts';
import { FAMILY, inRole } from '../../../paint/layout/text/typeface.ts';
import { limitWasmMemory } from '../../../paint/svg/limit-wasm-memory.ts';
import { drawSvg, MAX_PAGES, orderOf, svgError } from '../../../paint/svg/svg-drawing.ts';
import { fetchFontList } from '../../kit/font-list.ts';
import { reportRejections, workerScope } from '../../kit/worker-scope.ts';
import type { DrawingOrder, DrawingReply } from '../../media/draw-svg.ts';

reportRejections();

const loaded = new Map<string, Promise<Uint8Array>>();

function bytesOf(url: string): Promise<Uint8Array> {
  let loading = loaded.get(url);
  if (loading === undefined) {
    loading = fetch(url).then(async (reply) => {
      if (!reply.ok) throw new Error(`${url} could not be loaded (${reply.status})`);
      return new Uint8Array(await reply.arrayBuffer());
    });
    loading.catch(() => loaded.delete(url));
    loaded.set(url, loading);
  }
  return loading;
}

/** Besides the regular weight, in the order in which the service uses them. */
const LATIN = [FAMILY.strong, FAMILY.display];
const SCRIPTS = [
  inRole(FAMILY.arabic, 'strong'),
  inRole(FAMILY.hebrew, 'strong'),
  FAMILY.japanese,
  FAMILY.korean,
  FAMILY.chinese,
];

/** The same fonts as in the service. Those of other scripts are large: only those with letters of the drawing. */
async function fontsOf(svg: string, need: 'none' | 'latin' | 'all'): Promise<Uint8Array[]> {
  if (need === 'none') return [];
  const listed = await fetchFontList();
  const named = (families: readonly string[]) =>
    families.flatMap((family) => listed.filter((font) => font.family === family));
  const letters = need === 'all' ? new Set(lettersOf(svg)) : new Set<number>();
  const others = named(SCRIPTS).filter(({ coverage }) => {
    const covered = [...letters].filter((letter) => isIn(letter, coverage));
    for (const letter of covered) letters.delete(letter);
    return covered.length > 0;
  });
  return Promise.all([regularFont, ...[...named(LATIN), ...others].map(({ url }) => url)].map(bytesOf));
}

function lettersOf(svg: string): number[] {
  const plain = svg.replaceAll(/&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi, (_, hex, decimal) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
  return [...plain].map((letter) => letter.codePointAt(0)!).filter((code) => code >= 0x530);
}

/** @param coverage first and last of each range. */
function isIn(letter: number, coverage: readonly number[]): boolean {
  for (let at = 0; at < coverage.length; at += 2) {
    if (letter >= coverage[at]! && letter <= coverage[at + 1]!) return true;
  }
  return false;
}

async function draw({ file, maxPx }: DrawingOrder): Promise<ImageBitmap> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const order = orderOf(bytes, readImageHeader(bytes), maxPx);
  const fonts = await fontsOf(order.svg, order.fonts);
  post('drawing');
  const reply = drawSvg(order, fonts);
  if ('failed' in reply) throw svgError(reply);
  const pixels = new ImageData(new Uint8ClampedArray(reply.rgba), reply.width, reply.height);
  return createImageBitmap(pixels);
}

function post(reply: DrawingReply, transfer: Transferable[] = []): void {
  workerScope.postMessage(reply, transfer);
}

await initWasm(limitWasmMemory(await bytesOf(resvg), MAX_PAGES));
workerScope.onmessage = async ({ data }: MessageEvent<DrawingOrder>) => {
  try {
    const bitmap = await draw(data);
    post({ bitmap }, [bitmap]);
  } catch (error) {
    post({ failed: messageOf(error) });
  }
};
post('ready');
