import { join, sep } from 'node:path';
import { type BuildResult, build } from 'esbuild';
import { sourceFiles } from '../source-files.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** Runs in a browser unchanged: the studio's preview uses the same code as the server. */
const FOLDERS = ['timeline/', 'plan/', 'paint/canvas-2d.ts', 'paint/layout/', 'paint/draw/'];

/** A bundle as a browser would load it, and its source files by their path in the project. */
export interface BrowserBundle {
  readonly script: string;
  readonly inputs: readonly string[];
}

/**
 * Every file of the folders, and a program on top of them that puts what tests ask for on `globalThis`.
 *
 * @throws what esbuild says where something is imported that no browser has.
 */
export async function browserBundle(program = 'page-program.ts'): Promise<BrowserBundle> {
  const files = sourceFiles().filter(({ path }) => FOLDERS.some((folder) => path.startsWith(folder)));
  const imports = [...files.map(({ path }) => `./src/${path}`), `./test/browser/${program}`];
  const { outputFiles, metafile } = (await build({
    stdin: { contents: imports.map((path) => `import '${path}';`).join('\n'), resolveDir: ROOT },
    bundle: true,
    platform: 'browser',
    format: 'iife',
    target: 'es2024',
    metafile: true,
    write: false,
    logLevel: 'silent',
    absWorkingDir: ROOT,
  })) as BuildResult<{ metafile: true; write: false }>;
  const inputs = Object.keys(metafile.inputs).map((path) => path.split(sep).join('/'));
  return { script: outputFiles[0]!.text, inputs };
}
