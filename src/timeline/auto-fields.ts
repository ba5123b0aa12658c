import { AUTO_ORDERS } from './choices.ts';
import { choice, flag, number, whole } from './field.ts';

/** How `auto` makes a timeline of a tier list. A file of its own: the first load of the studio needs no other fields. (C64) */
export const AUTO = {
  order: choice(AUTO_ORDERS, { default: 'worst_first' }),
  // More than a spotlight takes.
  seconds_per_item: number(0.5, 600, { unit: 'seconds', default: 3.5 }),
  intro: flag({ default: true }),
  outro: flag({ default: true }),
  seed: whole(0, 2 ** 32 - 1, { default: 0 }),
};
