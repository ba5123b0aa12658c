import type { Project } from '../document/project.ts';
import { later } from '../kit/later.tsx';
import type { Bounds } from './project-files.ts';

/** Projects as files. The code is fetched on demand. */

const fetched = later(() => import('./project-files.ts'));

/** Whether a dropped file is a project and not media. */
export function isProjectFile({ name }: File): boolean {
  return /\.(json|zip)$/i.test(name);
}

export async function openProjectFile(file: File, takeMedia?: () => Promise<void>): Promise<void> {
  await (await fetched()).openProjectFile(file, takeMedia);
}

/** The project of a file that a link names; null if it is none, which is reported. @throws the signal's reason. */
export async function readLinkedProject(file: File, bounds: Bounds): Promise<Project | null> {
  return (await fetched()).readLinkedProject(file, bounds);
}

export async function saveProjectFile(): Promise<void> {
  (await fetched()).saveProjectFile();
}

export async function saveProjectZip(): Promise<void> {
  await (await fetched()).saveProjectZip();
}
