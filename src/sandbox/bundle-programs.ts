import { readFile } from 'node:fs/promises';
import { basename, dirname, join, parse, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import { besideModule } from '../platform/beside-module.ts';
import { withBundler } from '../platform/bundler.ts';

/** What a render child runs, in the order of its life: two processes, and threads. Each has a name of its own. */
const PROGRAMS = ['./child/jail-main', './child/child-main', '../paint/svg/svg-worker', '../engine/sound/aac-worker'];

/** Bundled as our own code is: of node-av's 2,034 constants a few dozen are used. Every other package stays where it is. */
const TAKEN_IN = /^(node-av\/|koffi$)/;

/** Nothing is written there: names in maps are relative to it. */
const NOWHERE = join(import.meta.dirname, 'bundled');
/** Names of what was read are relative to it. */
const ROOT = parse(import.meta.dirname).root;

/** As Node takes the sources; the project's own settings are not everywhere where its sources are. */
const TYPESCRIPT = { compilerOptions: { verbatimModuleSyntax: true, useDefineForClassFields: true, target: 'esnext' } };

/** Programs as few files that lie side by side in any folder of this machine. */
interface BundledPrograms {
  readonly files: readonly { readonly name: string; readonly text: string }[];
  /** Every file they were made of, and those that they load from where they are installed. */
  readonly inputs: readonly string[];
}

/**
 * Makes a few files of the 250 that a render child's programs are: each costs time to find and to load. Names stay as they are, and
 * maps beside the files tell where in the sources a line is from.
 *
 * @throws where it cannot be done; the sources do then.
 */
export async function bundlePrograms(): Promise<BundledPrograms> {
  const outside = new Set<string>();
  const entryPoints = PROGRAMS.map((path) => fileURLToPath(besideModule(path, import.meta.url)));
  const { outputFiles, metafile } = await withBundler((bundle) =>
    bundle({
      entryPoints,
      entryNames: '[name]',
      outdir: NOWHERE,
      absWorkingDir: ROOT,
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'esnext',
      tsconfigRaw: TYPESCRIPT,
      sourcemap: true,
      sourcesContent: false,
      metafile: true,
      write: false,
      logLevel: 'silent',
      plugins: [packagesStay(outside), PLACES_STAY],
    }),
  );
  const files = outputFiles.map(({ path, text }) => ({
    name: basename(path),
    text: path.endsWith('.map') ? withAddresses(text) : text,
  }));
  // Node looks for it in every folder above otherwise, which a jailed child may not.
  files.push({ name: 'package.json', text: JSON.stringify({ type: 'module' }) });
  const inputs = Object.keys(metafile.inputs).map((path) => resolve(ROOT, path));
  return { files, inputs: [...inputs, ...outside, fileURLToPath(import.meta.url)] };
}

/** Packages are loaded from where our sources would find them. */
function packagesStay(outside: Set<string>): Plugin {
  return {
    name: 'packages-stay',
    setup(build) {
      build.onResolve({ filter: /^[a-z@]/ }, ({ path, kind }) => {
        if (kind === 'entry-point' || path.startsWith('node:') || TAKEN_IN.test(path)) return undefined;
        const address = import.meta.resolve(path);
        if (!address.startsWith('file:')) return { path, external: true };
        outside.add(fileURLToPath(address));
        return { path: address, external: true };
      });
    },
  };
}

/** A file knows itself by the place it had; what is started beside it is what lies beside the bundle. */
const PLACES_STAY: Plugin = {
  name: 'places-stay',
  setup(build) {
    build.onLoad({ filter: /[\\/]beside-module\.[jt]s$/ }, () => ({
      contents: `export const besideModule = (path) => new URL(path.slice(path.lastIndexOf('/') + 1) + '.js', import.meta.url);`,
    }));
    build.onLoad({ filter: /\.[jt]s$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (!text.includes('import.meta.')) return undefined;
      const contents = text
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href));
      return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' };
    });
  },
};

/** A map that finds the sources wherever it lies. */
function withAddresses(text: string): string {
  const map: { readonly sources: readonly string[] } = JSON.parse(text);
  return JSON.stringify({ ...map, sources: map.sources.map((path) => pathToFileURL(resolve(NOWHERE, path)).href) });
}
