import type { PixelSize } from '../../image-header/image-header.ts';

/**
 * From 4:4:4 with alpha to yuva420p, as the continuation of a chain of filters.
 *
 * A chroma sample covers four pixels: each is weighted by its alpha, or invisible colours (mostly black) would bleed
 * into the edges. Alpha is averaged in the same way when layers are blended.
 *
 * @param premultiplied whether the colours are already multiplied by their alpha.
 * @param label makes the names of this part in the graph unique.
 */
export function weightedChroma({ width, height }: PixelSize, premultiplied: boolean, label: string): string {
  const half = `scale=${Math.ceil(width / 2)}:${Math.ceil(height / 2)}:flags=area+accurate_rnd+bitexact,format=yuva444p,${SQUARE}`;
  const [toStraight, toPremultiplied] = premultiplied ? [UNPREMULTIPLY, 'null'] : ['null', PREMULTIPLY];
  return [
    `${SQUARE},split[${label}0][${label}1]`,
    `[${label}0]${toStraight}[${label}2]`,
    `[${label}1]${toPremultiplied},${half},${UNPREMULTIPLY}[${label}3]`,
    `[${label}2][${label}3]${JOIN}`,
  ].join(';');
}

export const PREMULTIPLY = 'premultiply=inplace=1';
/** Planes are merged only if their pixel aspect ratios are equal, which manual scaling may change. */
const SQUARE = 'setsar=1';
const UNPREMULTIPLY = 'unpremultiply=inplace=1';
/** Luma and alpha of the first input, chroma of the second. */
const JOIN = 'mergeplanes=map0s=0:map0p=0:map1s=1:map1p=1:map2s=1:map2p=2:map3s=0:map3p=3:format=yuva420p';
