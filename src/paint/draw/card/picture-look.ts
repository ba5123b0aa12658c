import type { Bitmap, CreateSurface } from '../../canvas-2d.ts';
import { contrast, type Rgb } from '../color.ts';

/** What the background under a picture depends on. */
export interface PictureLook {
  /** Whether it is transparent anywhere but at soft edges. */
  readonly transparent: boolean;
  /** The colour all of its edge has; null if it has several, or holes. */
  readonly edge: Rgb | null;
  /** Its colours, each standing for as much of it as any other. */
  readonly colors: readonly Rgb[];
}

/** Sampled at this many places across and down. */
const PLACES = 24;
/** The share of samples that may be transparent in a picture that counts as opaque: rounded corners are not holes. */
const HOLES = 0.04;
/** The largest difference between the colours of an even edge. */
const EVEN_EDGE = 12;
/** Below this contrast, WCAG calls two colours hard to distinguish. */
const DISTINCT_CONTRAST = 1.9;
/** The share of a picture that may be invisible on its background before it gets another one. */
const MAY_VANISH = 0.3;

const LIGHT_GROUND: Rgb = [240, 241, 244];
const DARK_GROUND: Rgb = [30, 33, 43];

/** Looks at a picture, coarsely: the same picture gives the same answer at every size of cards. (R18) */
export function pictureLook(picture: Bitmap, createSurface: CreateSurface): PictureLook {
  const { context } = createSurface(PLACES, PLACES);
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, PLACES, PLACES);
  const { data } = context.getImageData(0, 0, PLACES, PLACES);
  const colors: Rgb[] = [];
  const edge: Rgb[] = [];
  let holes = 0;
  for (let place = 0; place < PLACES * PLACES; place += 1) {
    const [red, green, blue, alpha] = data.subarray(place * 4, place * 4 + 4) as unknown as [
      number,
      number,
      number,
      number,
    ];
    if (alpha < 128) {
      holes += 1;
      continue;
    }
    colors.push([red, green, blue]);
    const [x, y] = [place % PLACES, Math.floor(place / PLACES)];
    if (x === 0 || y === 0 || x === PLACES - 1 || y === PLACES - 1) edge.push([red, green, blue]);
  }
  const transparent = holes > PLACES * PLACES * HOLES;
  return { transparent, edge: transparent ? null : evenColor(edge), colors };
}

/**
 * The colour under a transparent picture: that of cards, unless too much of the picture would be invisible on it; then
 * the light or the dark one with the better contrast. (C46)
 */
export function groundUnder({ transparent, colors }: PictureLook, card: Rgb): Rgb {
  if (!transparent || colors.length === 0 || vanishing(colors, card) <= MAY_VANISH) return card;
  const [light, dark] = [vanishing(colors, LIGHT_GROUND), vanishing(colors, DARK_GROUND)];
  return light <= dark ? LIGHT_GROUND : DARK_GROUND;
}

/** The share that looks like the background, from 0 to 1. */
function vanishing(colors: readonly Rgb[], ground: Rgb): number {
  return colors.filter((color) => contrast(color, ground) < DISTINCT_CONTRAST).length / colors.length;
}

function evenColor(colors: readonly Rgb[]): Rgb | null {
  if (colors.length === 0) return null;
  const mean = (channel: 0 | 1 | 2) =>
    Math.round(colors.reduce((sum, color) => sum + color[channel], 0) / colors.length);
  const even: Rgb = [mean(0), mean(1), mean(2)];
  const isNear = (color: Rgb) => color.every((value, channel) => Math.abs(value - even[channel]!) <= EVEN_EDGE);
  return colors.every(isNear) ? even : null;
}
