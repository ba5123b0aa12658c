import { brotliCompressSync } from 'node:zlib';
import type { StudioFiles } from '../../../src/http/pages/studio-page.ts';

/** The first load before the page can be used: the page, its style, planning and drawing. */
export const FIRST_LOAD = ['main', 'studio', 'plan-worker', 'canvas-worker'] as const;

/** Entries with all that they import, by file name; what is fetched later is not among them. */
export function importedBy({ entries, files }: StudioFiles, ...names: readonly string[]): ReadonlySet<string> {
  const wanted = new Set(names.map((name) => entries[name]!));
  for (const name of wanted) {
    const text = files.get(name)!.bytes.toString();
    for (const [, part] of text.matchAll(/(?:from|import)\s*"[^"]*\/([\w-]+\.js)"/g)) wanted.add(part!);
  }
  return wanted;
}

/** The best quality takes seconds for a megabyte. */
const LARGE_BYTES = 500_000;

/** Their transfer size as the package and the image have them, compressed as well as Brotli can. A clone has quicker files, gzip is about an eighth more. */
export function wireBytes(built: StudioFiles, ...names: readonly string[]): number {
  const bytesOf = ({ bytes, brotli }: { bytes: Buffer; brotli: Buffer }) =>
    bytes.length > LARGE_BYTES ? brotli.length : brotliCompressSync(bytes).length;
  return [...importedBy(built, ...names)].reduce((sum, name) => sum + bytesOf(built.files.get(name)!), 0);
}
