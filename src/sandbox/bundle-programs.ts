import { readFile } from 'node:fs/promises';
import { basename, dirname, join, parse, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import { withBundler } from '../platform/bundler.ts';

const SRC = join(import.meta.dirname, '..');

/**
 * The programs of a render child, in the order in which they start: two processes, and threads. Each has its own name.
 * Paths in `src`.
 */
export const RENDER_PROGRAMS = [
  'sandbox/child/jail-main.ts',
  'sandbox/child/child-main.ts',
  'paint/svg/svg-worker.ts',
  'engine/sound/aac-worker.ts',
];

/** Bundled as our own code is: of node-av's 2,034 constants a few dozen are used. Every other package stays where it is. */
const BUNDLED_PACKAGES = /^(node-av\/|koffi$)/;

/** Nothing is written to this folder: the names in source maps are relative to it. */
const NOWHERE = join(import.meta.dirname, 'bundled');
/** Names of input files are relative to it. */
const ROOT = parse(import.meta.dirname).root;

/** As Node takes the sources; the project's own settings are not everywhere where its sources are. */
const TYPESCRIPT = { compilerOptions: { verbatimModuleSyntax: true, useDefineForClassFields: true, target: 'esnext' } };

/** Files side by side, of code as Node takes it. */
export const BUNDLE_OPTIONS = {
  entryNames: '[name]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'esnext',
  tsconfigRaw: TYPESCRIPT,
} as const;

/** Programs as a few files that work side by side in any folder of this machine. */
interface BundledPrograms {
  readonly files: readonly { readonly name: string; readonly text: string }[];
  /** Every file they were made of, and those that they load from where they are installed. */
  readonly inputs: readonly string[];
}

/**
 * Bundles the 250 files of a render child's programs into a few: each file costs time to find and to load. Names stay
 * as they are, and source maps beside the files give the original lines.
 *
 * @throws if bundling fails; the caller then uses the sources.
 */
export async function bundlePrograms(): Promise<BundledPrograms> {
  const outside = new Set<string>();
  const { outputFiles, metafile } = await withBundler((bundle) =>
    bundle({
      ...BUNDLE_OPTIONS,
      entryPoints: RENDER_PROGRAMS.map((path) => join(SRC, path)),
      outdir: NOWHERE,
      absWorkingDir: ROOT,
      sourcemap: true,
      sourcesContent: false,
      metafile: true,
      write: false,
      logLevel: 'silent',
      plugins: [packagesStay(outside), placesAs(WHERE_IT_WAS)],
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
        if (kind === 'entry-point' || path.startsWith('node:') || BUNDLED_PACKAGES.test(path)) return undefined;
        const address = import.meta.resolve(path);
        if (!address.startsWith('file:')) return { path, external: true };
        outside.add(fileURLToPath(address));
        return { path: address, external: true };
      });
    },
  };
}

/** The location that a bundled file sees as its own, as expressions. */
export interface ModuleLocation {
  readonly dirname: string;
  readonly url: string;
}

const WHERE_IT_WAS = (path: string): ModuleLocation => ({
  dirname: JSON.stringify(dirname(path)),
  url: JSON.stringify(pathToFileURL(path).href),
});

/** Gives each file its own location, although it is part of a bundle; programs that it starts are beside the bundle. */
export function placesAs(placeOf: (path: string) => ModuleLocation): Plugin {
  return {
    name: 'places',
    setup(build) {
      build.onLoad({ filter: /[\\/]beside-module\.ts$/ }, () => ({
        contents: `export const besideModule = (path) => new URL(path.slice(path.lastIndexOf('/') + 1) + '.js', import.meta.url);`,
      }));
      build.onLoad({ filter: /\.[jt]s$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8');
        if (!text.includes('import.meta.')) return undefined;
        const place = placeOf(path);
        const contents = text.replaceAll('import.meta.dirname', place.dirname).replaceAll('import.meta.url', place.url);
        return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' };
      });
    },
  };
}

/** A source map that finds the sources from any folder. */
function withAddresses(text: string): string {
  const map: { readonly sources: readonly string[] } = JSON.parse(text);
  return JSON.stringify({ ...map, sources: map.sources.map((path) => pathToFileURL(resolve(NOWHERE, path)).href) });
}
