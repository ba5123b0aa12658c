import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';
import { hasSourceMaps } from './program-files.ts';

/**
 * Gives stacks the lines of the sources, in a clone. A source map is read when a stack names its file. Node's own
 * (`--enable-source-maps`) are read and measured with each file, which takes a sixth of a service's start and 15 MB.
 */
export function mapStacks(): void {
  if (!hasSourceMaps()) return;
  const maps = new Map<string, SourceMap | null>();
  const mapOf = (file: string): SourceMap | null => {
    let map = maps.get(file);
    if (map === undefined) {
      map = readMap(file);
      maps.set(file, map);
    }
    return map;
  };
  Error.prepareStackTrace = (error, frames) =>
    [Error.prototype.toString.call(error), ...frames.map((frame) => `    at ${placeIn(mapOf, frame)}`)].join('\n');
}

/** null if it has none, or none any more. */
function readMap(file: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(fileURLToPath(`${file}.map`), 'utf8')));
  } catch {
    return null;
  }
}

/** `name (file:///clone/src/plan/plan-render.ts:12:34)` */
function placeIn(mapOf: (file: string) => SourceMap | null, frame: NodeJS.CallSite): string {
  const [file, line, column] = [frame.getFileName(), frame.getLineNumber(), frame.getColumnNumber()];
  const text = String(frame);
  if (!file?.startsWith('file:') || line === null || column === null) return text;
  const origin = mapOf(file)?.findOrigin(line, column);
  if (origin === undefined || !('fileName' in origin)) return text;
  const { fileName, lineNumber, columnNumber } = origin;
  return text.replace(`${file}:${line}:${column}`, `${new URL(fileName, file).href}:${lineNumber}:${columnNumber}`);
}
