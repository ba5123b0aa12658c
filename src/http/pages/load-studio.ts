import { join } from 'node:path';
import { IS_BUILT } from '../../platform/is-built.ts';
import { readBuilt, readManifest, type StudioFiles } from './studio-files.ts';

const BUILT = join(import.meta.dirname, '..', '..', 'studio-built');

/** The studio's files: the npm package ships them, a clone builds them. */
export async function loadStudio(cacheFolder: string | null): Promise<StudioFiles> {
  if (!IS_BUILT) return (await import('./studio-build.ts')).studioFiles(cacheFolder);
  const manifest = await readManifest(BUILT);
  if (manifest === null) throw new Error(`there is no studio in ${BUILT}`);
  return readBuilt(BUILT, manifest);
}
