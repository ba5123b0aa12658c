import type { FontName } from '../../timeline/choices.ts';
import type { FontChoice, MediaRef } from '../../timeline/export-request.ts';
import type { PlanSource, RenderPlan } from './render-plan.ts';
import type { PlanFont, TextRole } from './theme.ts';

interface ShippedFont {
  /** Ascending, in CSS units. */
  readonly weights: readonly number[];
  /** The height of capitals, in ems. */
  readonly capEm: number;
}

/** Every family that a request can name. Each ships as whole fonts, one file for each weight. (C63) */
export const SHIPPED_FONTS: Readonly<Record<FontName, ShippedFont>> = {
  'Noto Sans': { weights: [600, 700, 800], capEm: 0.714 },
  Inter: { weights: [400, 500, 600, 700, 800, 900], capEm: 0.728 },
  Montserrat: { weights: [400, 600, 700, 800, 900], capEm: 0.7 },
  Poppins: { weights: [400, 600, 700, 800], capEm: 0.7 },
  Rubik: { weights: [400, 500, 600, 700, 800, 900], capEm: 0.7 },
  Nunito: { weights: [400, 600, 700, 800, 900], capEm: 0.705 },
  Oswald: { weights: [400, 500, 600, 700], capEm: 0.81 },
  'Playfair Display': { weights: [400, 600, 700, 800, 900], capEm: 0.708 },
  Anton: { weights: [400], capEm: 0.859 },
  Bangers: { weights: [400], capEm: 0.721 },
};

export const SHIPPED_NAMES = Object.keys(SHIPPED_FONTS) as readonly FontName[];

/** The weight of each role, unless a style sets one. */
export const ROLE_WEIGHT: Readonly<Record<TextRole, number>> = { display: 800, strong: 700, text: 600 };

/** The role nearest to a weight: it draws the glyphs that a font lacks. */
export function roleAt(weight: number): TextRole {
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

/** The uploads of a plan. */
interface FontSources {
  use(media: MediaRef): number;
  readonly sources: readonly PlanSource[];
}

/** The value of nearly all fonts; that of an upload is not read. */
const DEFAULT_CAP_EM = SHIPPED_FONTS['Noto Sans'].capEm;

/**
 * The font that a request chooses; null for Noto Sans, which every text falls back to.
 *
 * @param weight of all roles; if absent, each role has its own.
 */
export function planFont(choice: FontChoice | null, media: FontSources, weight?: number): PlanFont | null {
  if (choice === null || choice === 'Noto Sans') return null;
  if (typeof choice !== 'string') {
    const source = media.use(choice);
    return {
      source,
      families: forRoles(() => uploadFamily(media.sources[source]!.hash)),
      capEm: forRoles(() => DEFAULT_CAP_EM),
    };
  }
  return shippedFont((role) => ({ family: choice, weight: weight ?? ROLE_WEIGHT[role] }));
}

/** A font that has a family that ships for each role. (R37) */
export function shippedFont(of: (role: TextRole) => { readonly family: FontName; readonly weight: number }): PlanFont {
  const cut = (role: TextRole) => {
    const { family, weight } = of(role);
    return cutFamily(family, nearestWeight(family, weight));
  };
  return { source: null, families: forRoles(cut), capEm: forRoles((role) => SHIPPED_FONTS[of(role).family].capEm) };
}

function forRoles<Value>(of: (role: TextRole) => Value): Readonly<Record<TextRole, Value>> {
  return { display: of('display'), strong: of('strong'), text: of('text') };
}

/** Every font that something in the plan is set in, the default one left out. */
export function plannedFonts({ theme, painted }: Pick<RenderPlan, 'theme' | 'painted'>): PlanFont[] {
  const lettered = painted.subtitle.map(({ letters }) => letters?.font ?? null);
  const fonts = [theme.font, ...lettered, ...painted.title.map(({ font }) => font)].filter((font) => font !== null);
  return [...new Map(fonts.map((font) => [fontKey(font), font])).values()];
}

/** What a font adds to a key. The families identify the letters; for an upload, by its hash. */
export function fontKey({ families: { display, strong, text } }: PlanFont): string {
  return [display, strong, text].join();
}
