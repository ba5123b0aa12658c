import type { PlanFont, RenderPlan } from '../render-plan.ts';

/** Every font that something in the plan is set in, the default one left out. */
export function plannedFonts({ theme }: Pick<RenderPlan, 'theme'>): PlanFont[] {
  return theme.font === null ? [] : [theme.font];
}
