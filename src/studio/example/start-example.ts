import { later } from '../kit/later.tsx';
import type { TemplateName } from '../texts/en/first-visit.ts';

const fetched = later(() => import('./example.ts'));

/** Starts the example. Its code is fetched on demand. */
export async function startExample(): Promise<void> {
  await (await fetched()).startExample();
}

/** Draws the missing files of every project that is opened from now on. */
export async function drawWhatIsComing(): Promise<void> {
  (await fetched()).drawWhatIsComing();
}

const ofTemplates = later(() => import('./templates.ts'));

/** Starts a template that the studio offers. Its code is fetched on demand. */
export async function startTemplate(name: TemplateName): Promise<void> {
  await (await ofTemplates()).startTemplate(name);
}
