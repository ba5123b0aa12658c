import type { RenderPlan } from '../render-plan.ts';
import type { PlanFont } from '../theme.ts';
import { fontKey } from './font-key.ts';

/** Every font that something in the plan is set in, the default one left out. */
export function plannedFonts({ theme, painted }: Pick<RenderPlan, 'theme' | 'painted'>): PlanFont[] {
  const lettered = painted.subtitle.map(({ letters }) => letters?.font ?? null);
  const fonts = [theme.font, ...lettered, ...painted.title.map(({ font }) => font)].filter((font) => font !== null);
  return [...new Map(fonts.map((font) => [fontKey(font), font])).values()];
}
