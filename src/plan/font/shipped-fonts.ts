import type { FontName } from '../../timeline/choices.ts';

interface ShippedFont {
  /** Ascending, in CSS units. */
  readonly weights: readonly number[];
  /** The height of capitals, in ems. */
  readonly capEm: number;
}

/** Every family that a request can name. Each ships as whole fonts, one file for each weight. (C63) */
export const SHIPPED_FONTS: Readonly<Record<FontName, ShippedFont>> = {
  'Noto Sans': { weights: [600, 700, 800], capEm: 0.714 },
  Inter: { weights: [400, 600, 700, 800], capEm: 0.728 },
  Montserrat: { weights: [400, 600, 700, 800, 900], capEm: 0.7 },
  Poppins: { weights: [400, 600, 700, 800], capEm: 0.7 },
  Rubik: { weights: [400, 600, 700, 800], capEm: 0.7 },
  Nunito: { weights: [400, 600, 700, 800], capEm: 0.705 },
  Oswald: { weights: [400, 500, 600, 700], capEm: 0.81 },
  'Playfair Display': { weights: [400, 600, 700, 800], capEm: 0.708 },
  Anton: { weights: [400], capEm: 0.859 },
  Bangers: { weights: [400], capEm: 0.721 },
};

export const SHIPPED_NAMES = Object.keys(SHIPPED_FONTS) as readonly FontName[];

/** The weights that texts are set in: titles and labels, subtitles, names. */
export type Voice = 'display' | 'strong' | 'text';

/** The weight of each voice, unless a style sets one. */
export const VOICE_WEIGHT: Readonly<Record<Voice, number>> = { display: 800, strong: 700, text: 600 };

/** The voice nearest to a weight: it draws the glyphs that a font lacks. */
export function voiceAt(weight: number): Voice {
  return weight >= 750 ? 'display' : weight >= 650 ? 'strong' : 'text';
}

/** The name that a weight of a family is registered under. */
export function cutFamily(name: FontName, weight: number): string {
  return `Tiercut ${name} ${weight}`;
}

/** The name that an upload is registered under, by the SHA-256 of its bytes: the same name is always the same letters. */
export function uploadFamily(hash: string): string {
  return `Tiercut Own ${hash.slice(0, 32)}`;
}

/** The weight of a family that is nearest to the wanted one; of two, the heavier. */
export function nearestWeight(name: FontName, wanted: number): number {
  const distance = (weight: number) => Math.abs(weight - wanted) - (weight > wanted ? 0.5 : 0);
  return SHIPPED_FONTS[name].weights.reduce((best, weight) => (distance(weight) < distance(best) ? weight : best));
}
