/** Red, green and blue from 0 to 255. */
export type Rgb = readonly [number, number, number];

/** Reads `#rrggbb`; the timeline's reader has made sure of the form. */
export function rgbOf(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

/** A CSS colour. */
export function rgba([red, green, blue]: Rgb, alpha: number): string {
  return `rgba(${red}, ${green}, ${blue}, ${alpha})`;
}

/** `amount` of `b` mixed into `a`. */
export function mixed(a: Rgb, b: Rgb, amount: number): Rgb {
  const part = (index: 0 | 1 | 2) => Math.round(a[index] + (b[index] - a[index]) * amount);
  return [part(0), part(1), part(2)];
}

/** Relative luminance as WCAG 2 defines it, from 0 to 1. */
export function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast as WCAG 2 defines it, from 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

export const INK_DARK: Rgb = [12, 13, 16];
export const INK_LIGHT: Rgb = [255, 255, 255];

/** The ink that reads better on `ground`. (R11) */
export function inkOn(ground: Rgb): Rgb {
  return contrast(INK_DARK, ground) >= contrast(INK_LIGHT, ground) ? INK_DARK : INK_LIGHT;
}

/** Inks of the word that is being spoken, the preferred first. */
const LIT_INKS: readonly Rgb[] = [[255, 213, 64], INK_LIGHT, [128, 236, 255], [0, 44, 150], [128, 0, 64], INK_DARK];
/** How far a lit word is from the ground, as a contrast, and from the other words, as a sum of three channels. */
const LEGIBLE = 4.5;
const DISTINCT_DISTANCE = 90;

/** The ink of the word that is being spoken: legible on its background, and different from the other words. (C43) */
export function litInk(color: Rgb, ground: Rgb): Rgb {
  const apart = (ink: Rgb) => color.reduce((sum, channel, at) => sum + Math.abs(channel - ink[at]!), 0);
  const inks = LIT_INKS.filter((ink) => apart(ink) > DISTINCT_DISTANCE);
  const best = inks.reduce((max, ink) => (contrast(ink, ground) > contrast(max, ground) ? ink : max));
  return inks.find((ink) => contrast(ink, ground) >= LEGIBLE) ?? best;
}
