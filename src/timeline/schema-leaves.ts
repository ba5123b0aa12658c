import * as z from 'zod';

// The error text of each leaf is the allowed value ("a number from 0.1 to 10"); check-schema.ts makes the sentence
// around it.

/** An id, or the name of a form field. */
export const id = textUpTo(1000);
export const trueOrFalse = z.boolean('true or false');
export const HEX_COLOR = 'a colour of the form "#rrggbb"';
export const hexColor = hexColorOr(HEX_COLOR);

/** @param allowed all that is allowed, for a field that takes other values too. */
export function hexColorOr(allowed: string) {
  return z.string(allowed).regex(/^#[0-9a-fA-F]{6}$/, allowed);
}

/** A gain or percent: `settings.volume_unit` decides. (C17) */
const VOLUME = 'a number from 0 to 4, in percent from 0 to 400';
export const volume = z.number(VOLUME).min(0, VOLUME).max(400, VOLUME);

/** kbit/s; `"192k"` too, since that is how ffmpeg users write it. */
const BITRATE = 'a number from 32 to 512 (kbit/s), or a text such as "192k"';
export const bitrate = z.union(
  [
    z.number(BITRATE).min(32, BITRATE).max(512, BITRATE),
    z.string(BITRATE).regex(/^(3[2-9]|[4-9][0-9]|[1-4][0-9]{2}|50[0-9]|51[0-2])k$/, BITRATE),
  ],
  BITRATE,
);

export function numberFrom(min: number, max: number) {
  const allowed = `a number from ${min} to ${max}`;
  return z.number(allowed).min(min, allowed).max(max, allowed);
}

export function wholeFrom(min: number, max: number) {
  const allowed = `a whole number from ${min} to ${max}`;
  return z.number(allowed).int(allowed).min(min, allowed).max(max, allowed);
}

export function positiveUpTo(max: number) {
  const allowed = `a number above 0, up to ${max}`;
  return z.number(allowed).gt(0, allowed).max(max, allowed);
}

export function textUpTo(length: number) {
  const allowed = `a text of at most ${length} characters`;
  return z.string(allowed).max(length, allowed);
}

export function enumOf<const T extends readonly [string, ...string[]]>(choices: T) {
  return z.enum(choices, `one of ${choices.map((choice) => `"${choice}"`).join(', ')}`);
}

export function listOf<T extends z.ZodType>(entry: T, max: number) {
  const allowed = `a list of at most ${max}`;
  return z.array(entry, allowed).max(max, allowed);
}
