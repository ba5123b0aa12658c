import * as z from 'zod';
import { CARD_FITS } from './choices.ts';
import type { TimelineLimits } from './limits.ts';
import { enumOf, hexColor, id, listOf, numberFrom, textUpTo } from './schema-leaves.ts';

/** The title, a row and an item of a tier list. */
export function tierListSchemas(limits: TimelineLimits) {
  const text = textUpTo(limits.maxTextLength);
  const row = z.object({
    id,
    label: text.optional(),
    color: hexColor.optional(),
    item_ids: listOf(id, limits.maxItems).optional(),
  });
  const item = z.object({
    id,
    name: text.optional(),
    file_field: id.optional(),
    fit: enumOf(CARD_FITS).optional(),
    image_focus: z
      .object({ x: numberFrom(0, 100).optional(), y: numberFrom(0, 100).optional() }, 'an object with x and y')
      .optional(),
    image_zoom: numberFrom(1, 10).optional(),
    score: text.optional(),
    note: text.optional(),
  });
  return { title: text, row, item };
}
