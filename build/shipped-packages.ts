import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** Where it is installed, if it is for this platform. */
  readonly folder: string;
}

interface LockedPackage {
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

const MODULES = 'node_modules/';

/**
 * The packages that are installed to run Tiercut, and those whose files are copied or bundled into it.
 *
 * @param root the project's folder.
 * @param taken the copied and bundled files, relative to the project.
 */
export async function shippedPackages(root: string, taken: readonly string[]): Promise<readonly ShippedPackage[]> {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  const isTaken = (path: string) =>
    taken.some((file) => file.startsWith(`${path}/`) && !file.includes(`/${MODULES}`, path.length));
  return Object.entries(lock.packages)
    .filter(([path, { dev, link }]) => path.startsWith(MODULES) && link !== true && (dev !== true || isTaken(path)))
    .map(([path, { version, license = 'license not stated in its package.json' }]) => ({
      name: path.slice(path.lastIndexOf(MODULES) + MODULES.length),
      version,
      license,
      folder: join(root, path),
    }));
}
