import type { Project } from '../document/project.ts';
import { project } from '../session/session.ts';
import { mediaFile } from './media-store.ts';

/** A file of a project, the open one if none is given, with its type, by which a browser recognizes drawings and animations; null if it is not here. */
export async function typedFile(hash: string, of: Project = project.peek()): Promise<Blob | null> {
  const file = await mediaFile(hash);
  const known = Object.values(of.studio.media).find((entry) => entry.hash === hash);
  if (file === null || known === undefined) return file;
  return new Blob([file], { type: known.kind === 'drawing' ? 'image/svg+xml' : known.type });
}
