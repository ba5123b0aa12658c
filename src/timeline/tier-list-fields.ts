import { CARD_FITS } from './choices.ts';
import { choice, color, ids, name, number, object, text } from './field.ts';

/** A row of the tier list. */
const ROW = {
  id: name('id', { required: true }),
  label: text(),
  color: color(),
  item_ids: ids('maxItems'),
};

const IMAGE_FOCUS = {
  x: number(0, 100, { unit: 'percent', default: 50 }),
  y: number(0, 100, { unit: 'percent', default: 50 }),
};

/** What the parser copies of an item. */
export const ITEM_BASICS = {
  fit: choice(CARD_FITS),
  score: text({ default: '' }),
  note: text({ long: true, default: '' }),
};

/** An item of the tier list. */
const ITEM = {
  id: name('id', { required: true }),
  name: text(),
  file_field: name('file', { own: true }),
  fit: ITEM_BASICS.fit,
  image_focus: object('imageFocus', 'an object with x and y'),
  image_zoom: number(1, 10, { unit: 'times', default: 1 }),
  score: ITEM_BASICS.score,
  note: ITEM_BASICS.note,
};

export const TIER_LIST_FIELDS = { row: ROW, item: ITEM, imageFocus: IMAGE_FOCUS };
