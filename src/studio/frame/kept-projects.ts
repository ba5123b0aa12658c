import { signal } from '@preact/signals';
import { type KeptProject, listProjects } from '../keeping/project-store.ts';

/** What this browser keeps, as it was when somebody looked last. */
export const keptProjects = signal<readonly KeptProject[]>([]);

export async function lookAgain(): Promise<void> {
  keptProjects.value = await listProjects();
}
