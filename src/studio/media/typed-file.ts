import { project } from '../session/session.ts';
import { mediaFile } from './media-store.ts';

/** A file of the project with its type, by which a browser recognizes drawings and animations; null if it is not here. */
export async function typedFile(hash: string): Promise<Blob | null> {
  const file = await mediaFile(hash);
  const known = Object.values(project.peek().studio.media).find((entry) => entry.hash === hash);
  if (file === null || known === undefined) return file;
  return new Blob([file], { type: known.kind === 'drawing' ? 'image/svg+xml' : known.type });
}
