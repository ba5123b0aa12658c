import type { FontChoice, MediaRef } from '../../timeline/request/media-ref.ts';
import type { PlanSource } from '../render-plan.ts';
import type { PlanFont } from '../theme.ts';
import { cutFamily, nearestWeight, SHIPPED_FONTS, uploadFamily, VOICE_WEIGHT } from './shipped-fonts.ts';

/** The uploads of a plan. */
interface FontSources {
  use(media: MediaRef): number;
  readonly sources: readonly PlanSource[];
}

/** The value of nearly all fonts; that of an upload is not read. */
const DEFAULT_CAP_EM = SHIPPED_FONTS['Noto Sans'].capEm;

/**
 * The font for the painter; null for the default one, which every text falls back to.
 *
 * @param weight of all voices; if absent, each voice has its own.
 */
export function planFont(choice: FontChoice | null, media: FontSources, weight?: number): PlanFont | null {
  if (choice === null || choice === 'Noto Sans') return null;
  if (typeof choice !== 'string') {
    const source = media.use(choice);
    return { source, families: forVoices(() => uploadFamily(media.sources[source]!.hash)), capEm: DEFAULT_CAP_EM };
  }
  const cut = (wanted: number) => cutFamily(choice, nearestWeight(choice, weight ?? wanted));
  return { source: null, families: forVoices(cut), capEm: SHIPPED_FONTS[choice].capEm };
}

function forVoices(family: (weight: number) => string): PlanFont['families'] {
  const { display, strong, text } = VOICE_WEIGHT;
  return { display: family(display), strong: family(strong), text: family(text) };
}
