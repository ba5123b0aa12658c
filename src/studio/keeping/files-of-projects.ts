import { later } from '../kit/later.tsx';

/** Projects as files. What reads and writes them is fetched when it is first wanted. */

const fetched = later(() => import('./project-files.ts'));

/** Whether a file that was dropped is a project and not media. */
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
