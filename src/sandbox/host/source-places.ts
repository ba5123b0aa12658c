import { readFileSync, realpathSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PROGRAM_FOLDER } from './ready-program.ts';

/** Read for the first reported fault, then cached. */
const maps = new Map<string, SourceMap | null>();

/** A text of a child that runs prepared programs, with the positions of our sources in its stacks. */
export function inSources(text: string, codeDir: string | undefined): string {
  if (codeDir === undefined || !text.includes(`/${PROGRAM_FOLDER}/`)) return text;
  // No other file is read, even if a child names one.
  const folder = realFolder(join(codeDir, PROGRAM_FOLDER));
  const place = new RegExp(`${RegExp.escape(pathToFileURL(folder).href)}/([\\w-]+\\.js):(\\d+):(\\d+)`, 'g');
  return text.replaceAll(place, (said, name: string, line: string, column: string) => {
    const origin = mapOf(join(folder, `${name}.map`))?.findOrigin(Number(line), Number(column));
    if (origin === undefined || !('fileName' in origin)) return said;
    return `${origin.fileName}:${origin.lineNumber}:${origin.columnNumber}`;
  });
}

/** As Node names the files it runs. */
function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function mapOf(path: string): SourceMap | null {
  let map = maps.get(path);
  if (map === undefined) {
    map = readMap(path);
    maps.set(path, map);
  }
  return map;
}

function readMap(path: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}
