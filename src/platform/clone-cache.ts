import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { IS_BUILT } from './is-built.ts';

const MODULES = join(import.meta.dirname, '..', '..', 'node_modules');

/**
 * A cache folder for what a clone builds from its sources. It is inside the clone because its content is executed:
 * anyone who can write there can change the sources as well. The npm package and the image are prebuilt and write no
 * code.
 *
 * @returns null if there is none: prebuilt, or the clone belongs to another user.
 */
export function cloneCache(part: string, modules = MODULES): string | null {
  if (IS_BUILT) return null;
  try {
    const own = join(modules, '.cache', 'tiercut');
    mkdirSync(own, { recursive: true, mode: 0o700 });
    const { uid, mode } = statSync(own);
    return uid === process.geteuid?.() && (mode & 0o022) === 0 ? join(own, part) : null;
  } catch {
    return null;
  }
}
