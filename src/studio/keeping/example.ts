import { EMPTY_PROJECT, type Project } from '../document/project.ts';
import { startProject } from './autosave.ts';

/** What everybody meets first. */
export async function exampleProject(): Promise<Project> {
  return EMPTY_PROJECT;
}

export async function startExample(): Promise<void> {
  await startProject(await exampleProject());
}
