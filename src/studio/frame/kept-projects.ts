import { signal } from '@preact/signals';
import { type KeptProject, listProjects } from '../keeping/project-store.ts';

/** The projects in this browser, as of the last look. */
export const keptProjects = signal<readonly KeptProject[]>([]);

export async function lookAgain(): Promise<void> {
  keptProjects.value = await listProjects();
}
