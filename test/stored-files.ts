import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The file of a data folder that holds an upload's bytes; undefined where there is none. */
export function uploadFile(dataFolder: string, sha256: string): string | undefined {
  return fileIn(join(dataFolder, 'blobs', 'uploads'), (name) => name.split('.')[0] === sha256);
}

/** The file that holds a finished video. */
export function outputFile(dataFolder: string, exportId: string, preset: string): string | undefined {
  return fileIn(join(dataFolder, 'blobs', 'exports', exportId, preset), () => true);
}

function fileIn(folder: string, isIt: (name: string) => boolean): string | undefined {
  try {
    const found = readdirSync(folder).find(isIt);
    return found === undefined ? undefined : join(folder, found);
  } catch {
    return undefined;
  }
}
