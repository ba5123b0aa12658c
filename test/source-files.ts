import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';

const SRC = join(import.meta.dirname, '..', 'src');

/** A file of src/, by its path below it (`plan/plan-render.ts`). */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  /** What it imports: paths below src/ for our own files, package names (`node:fs`, `zod`) for others. */
  readonly imports: readonly string[];
}

/** Every TypeScript file of src/, the studio's .tsx files included. */
export function sourceFiles(): SourceFile[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => {
      const path = name.split(sep).join('/');
      const text = readFileSync(join(SRC, name), 'utf8');
      return { path, text, imports: importsOf(path, text) };
    });
}

function importsOf(path: string, text: string): string[] {
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\b[^'";]*?\bfrom\s+'([^']+)'|\bimport\(\s*'([^']+)'\s*\)|(?:^|\n)import\s+'([^']+)'/g,
  );
  return [...found].map(([, from, dynamic, bare]) => {
    const specifier = (from ?? dynamic ?? bare)!;
    return specifier.startsWith('.') ? posix.normalize(posix.join(posix.dirname(path), specifier)) : specifier;
  });
}
