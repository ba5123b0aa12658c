/**
 * Emoji that Skia's binding tears apart: a character that is text by default, joined to one that is emoji by default,
 * is cut into two runs before the font can join them, unless an emoji comes before it. These four are all.
 */
export const TORN_EMOJI = /❤\ufe0f?\u200d[🔥🩹]|🏳\ufe0f?\u200d🌈|⛓\ufe0f?\u200d💥/gu;

/** An emoji like any other in width. */
export const STAND_IN = '🟦';

/** The text with every torn emoji replaced by one of the same width, for measuring. */
export function measurable(text: string): string {
  return text.replace(TORN_EMOJI, STAND_IN);
}
