import * as z from 'zod';
import { CARD_FITS } from './choices.ts';
import type { TimelineLimits } from './limits.ts';
import { hexColor, id, listOf, oneOf, textUpTo } from './schema-leaves.ts';

/** The title, a row and an item of a tier list. */
export function tierListSchemas(limits: TimelineLimits) {
  const text = textUpTo(limits.maxTextLength);
  const row = z.object({
    id,
    label: text.optional(),
    color: hexColor.optional(),
    item_ids: listOf(id, limits.maxItems).optional(),
  });
  const picture = 'The form field of its picture: JPEG, HEIC, PNG, WebP, AVIF, TIFF, GIF, BMP or SVG.';
  const item = z.object({
    id,
    name: text.optional(),
    file_field: id.optional().meta({ description: picture }),
    fit: oneOf(CARD_FITS)
      .optional()
      .meta({ description: 'How its picture fills its card: whole, or filling it; `settings.card.fit` if absent.' }),
    score: text.optional().meta({ description: 'Stands under the name in a spotlight: "9/10".' }),
    note: text.optional().meta({ description: 'Stands under name and score in a spotlight.' }),
  });
  return { title: text, row, item };
}
