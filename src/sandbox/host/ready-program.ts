import { existsSync } from 'node:fs';
import { join, parse } from 'node:path';

/** The folder of the programs in a folder of prepared code. */
export const PROGRAM_FOLDER = 'programs';

/** The file to start a program from: the prepared one if there is one, else its source. */
export function readyProgram(source: string, codeDir: string | undefined): string {
  if (codeDir === undefined) return source;
  const ready = join(codeDir, PROGRAM_FOLDER, `${parse(source).name}.js`);
  return existsSync(ready) ? ready : source;
}
