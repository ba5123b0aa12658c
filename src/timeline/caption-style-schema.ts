import * as z from 'zod';
import { CAPTION_STYLES, FONTS, HIGHLIGHTS } from './choices.ts';
import { enumOf, hexColor, id, numberFrom, trueOrFalse, wholeFrom } from './schema-leaves.ts';

const NAMES = `one of ${CAPTION_STYLES.map((name) => `"${name}"`).join(', ')}`;

/** How captions look: a style by its name, or an object over one. (C62) */
export const captionStyle = z.union(
  [
    z.enum(CAPTION_STYLES, NAMES),
    z.object({
      base: enumOf(CAPTION_STYLES).optional(),
      font: enumOf(FONTS).optional(),
      font_field: id.optional(),
      weight: numberFrom(100, 900).optional(),
      uppercase: trueOrFalse.optional(),
      outline_color: hexColor.optional(),
      outline_width: numberFrom(0, 0.5).optional(),
      highlight_color: hexColor.optional(),
      highlight: enumOf(HIGHLIGHTS).optional(),
      max_words: wholeFrom(1, 100).optional(),
    }),
  ],
  `${NAMES}, or an object based on one of them`,
);
