import type { Theme } from '../../plan/model/theme.ts';
import type { Ink, InkName, Shade } from '../../plan/theme/theme-look.ts';
import { lookOf } from '../../plan/theme/theme-looks.ts';
import type { Box } from '../boxes.ts';
import type { Canvas2D } from '../canvas-2d.ts';
import { contrast, inkOn, mixed, type Rgb, rgba, rgbOf } from './color.ts';

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
/** The contrast at which letters are readable at a glance. */
const LEGIBLE = 4.5;

/** The inks of a theme, for one row or for none: without a row its colour is the accent. */
export class Inks {
  readonly #theme: Theme;
  readonly #row: Rgb | null;

  constructor(theme: Theme, row: Rgb | null = null) {
    this.#theme = theme;
    this.#row = row;
  }

  of(ink: Ink): Rgb {
    if (typeof ink === 'string') return ink.startsWith('#') ? rgbOf(ink) : this.#named(ink as InkName);
    if ('legible' in ink) return legible(this.of(ink.legible), this.of(ink.on));
    const [from, to, share] = ink;
    return mixed(this.of(from), this.of(to), share);
  }

  /** A style for `fillStyle`; a shade goes from the top of the box to its foot. */
  fill(ink: Ink | Shade, alpha: number, context: Canvas2D, { y, height }: Pick<Box, 'y' | 'height'>): string | object {
    if (!isShade(ink)) return rgba(this.of(ink), alpha);
    const shade = context.createLinearGradient(0, y, 0, y + height);
    shade.addColorStop(0, rgba(this.of(ink.top), alpha));
    shade.addColorStop(1, rgba(this.of(ink.foot), alpha));
    return shade;
  }

  #named(name: InkName): Rgb {
    if (name === 'white') return WHITE;
    if (name === 'black') return BLACK;
    const accent = rgbOf(lookOf(this.#theme).palette.accent);
    if (name === 'accent') return accent;
    if (name === 'row') return this.#row ?? accent;
    if (name === 'onRow') return inkOn(this.#row ?? accent);
    return rgbOf(this.#theme[name]);
  }
}

function isShade(ink: Ink | Shade): ink is Shade {
  return typeof ink === 'object' && 'top' in ink;
}

/** As much lighter or darker as it must be to be read on the ground. */
function legible(color: Rgb, ground: Rgb): Rgb {
  const toward = inkOn(ground);
  for (let amount = 0; amount < 1; amount += 0.1) {
    const ink = mixed(color, toward, amount);
    if (contrast(ink, ground) >= LEGIBLE) return ink;
  }
  return toward;
}
