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

/** Their transfer size, compressed by Brotli: over HTTPS and on one machine. Gzip is about an eighth more. */
export function wireBytes(built: StudioFiles, ...names: readonly string[]): number {
  return [...importedBy(built, ...names)].reduce((sum, name) => sum + built.files.get(name)!.brotli.length, 0);
}
