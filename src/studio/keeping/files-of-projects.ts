import { later } from '../kit/later.tsx';

/** Projects as files. The code is fetched on demand. */

const fetched = later(() => import('./project-files.ts'));

/** Whether a dropped file is a project and not media. */
export function isProjectFile({ name }: File): boolean {
  return /\.(json|zip)$/i.test(name);
}

export async function openProjectFile(file: File, takeMedia?: () => Promise<void>): Promise<void> {
  await (await fetched()).openProjectFile(file, takeMedia);
}

export async function saveProjectFile(): Promise<void> {
  (await fetched()).saveProjectFile();
}

export async function saveProjectZip(): Promise<void> {
  await (await fetched()).saveProjectZip();
}
