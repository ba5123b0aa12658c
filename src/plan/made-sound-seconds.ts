import type { MadeSound } from './render-plan.ts';

/** How long the sounds made by code are, in seconds. */
export const MADE_SOUND_SECONDS: Readonly<Record<MadeSound, number>> = { pop: 0.16, whoosh: 0.5, impact: 0.8 };
