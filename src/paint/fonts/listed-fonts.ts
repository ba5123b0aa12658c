import { SHIPPED_FONTS, SHIPPED_NAMES } from '../../plan/font/shipped-fonts.ts';

/** The families that a request can name, and the file name of a picture of each. (C63) */
export const LISTED_FONTS = SHIPPED_NAMES.map((name) => ({
  name,
  weights: SHIPPED_FONTS[name].weights,
  sample: `${name.toLowerCase().replaceAll(' ', '-')}.png`,
}));
