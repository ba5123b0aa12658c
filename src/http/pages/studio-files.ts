import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** A file of the studio as served; its name has the hash of its content. */
export interface StudioFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly gzip: Buffer;
  readonly brotli: Buffer;
}

/** The built studio. */
export interface StudioFiles {
  /** File names by entry: `main`, `studio` (the style), and one for each worker. */
  readonly entries: Readonly<Record<string, string>>;
  readonly files: ReadonlyMap<string, StudioFile>;
}

/** The manifest of a folder of built files. */
export interface Manifest {
  readonly entries: Readonly<Record<string, string>>;
  /** The SHA-256 of all inputs by path in the project, including the list of entries. */
  readonly inputs: Readonly<Record<string, string>>;
}

/** Where the files are served. */
export const STUDIO_ASSETS = '/assets/studio';

export const MANIFEST = 'manifest.json';

/** null if the folder or its manifest does not exist. */
export async function readManifest(folder: string): Promise<Manifest | null> {
  try {
    return JSON.parse(await readFile(join(folder, MANIFEST), 'utf8'));
  } catch {
    return null;
  }
}

/** @throws if a file is missing. */
export async function readBuilt(folder: string, { entries }: Manifest): Promise<StudioFiles> {
  const files = new Map<string, StudioFile>();
  for (const name of await readdir(folder)) {
    if (name === MANIFEST || name.endsWith(BROTLI)) continue;
    const [bytes, brotli] = await Promise.all([name, name + BROTLI].map((file) => readFile(join(folder, file))));
    files.set(name, await compressedFile(name, bytes!, brotli));
  }
  return { entries, files };
}

/** The extension of Brotli-compressed files. */
export const BROTLI = '.br';

/** The file as served. @param brotli from an earlier build, because compressing all files takes seconds. */
export async function compressedFile(path: string, bytes: Buffer, brotli?: Buffer): Promise<StudioFile> {
  const type = TYPES[path.slice(path.lastIndexOf('.'))] ?? 'application/octet-stream';
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  return {
    type,
    bytes,
    gzip: await promisify(gzip)(bytes, { level: 9 }),
    brotli: brotli ?? (await promisify(brotliCompress)(bytes, { params })),
  };
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
};
