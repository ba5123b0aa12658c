import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { BROTLI, MANIFEST, type Manifest } from '../src/http/pages/studio-page.ts';

const ROOT = join(import.meta.dirname, '..');
const SOURCE = join(ROOT, 'src', 'studio');
const APP = 'src/studio/app.tsx';

/** Files name each other relative to themselves, so any folder of any host can serve them. */
const OPTIONS = {
  absWorkingDir: ROOT,
  outdir: join(ROOT, 'studio-built'),
  // Without the texts of its errors.
  alias: { immer: join(ROOT, 'node_modules', 'immer', 'dist', 'immer.production.mjs') },
  entryNames: '[name]-[hash]',
  chunkNames: 'part-[hash]',
  assetNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2023',
  minify: true,
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  loader: { '.svg': 'file', '.webp': 'file', '.wasm': 'file', '.ttf': 'file', '.bin': 'file' },
  metafile: true,
  write: false,
  logLevel: 'silent',
} as const satisfies BuildOptions;

/**
 * Bundles the studio into a folder: the files as they are served, plain and compressed, and their names.
 *
 * @param compression `best`: as well as Brotli can.
 * @param earlier the folder of an earlier studio: its compressed files are reused, by names that contain the hash of their
 * content.
 * @returns the bundled files, relative to the project.
 */
export async function bundleStudio(
  folder: string,
  compression: 'best' | 'quick',
  earlier: string | null = null,
): Promise<readonly string[]> {
  // Page and workers share so little that common files would cost more than they save.
  const results = await Promise.all([
    bundlePage(),
    bundleCheck(),
    bundleWorkers((name) => !isAlone(name)),
    bundleWorkers(isAlone),
  ]);
  const entries: Record<string, string> = {};
  for (const [path, { entryPoint }] of results.flatMap(({ metafile }) => Object.entries(metafile.outputs))) {
    if (entryPoint !== undefined)
      entries[basename(entryPoint.replace('late:', '')).replace(/\.\w+$/, '')] = basename(path);
  }
  const outputs = Object.assign({}, ...results.map(({ metafile }) => metafile.outputs)) as Metafile['outputs'];
  const start = Object.keys(outputs).find((path) => basename(path) === entries.main)!;
  const first = [...importedBy(outputs, start)].map((path) => basename(path));
  await mkdir(folder, { recursive: true });
  await Promise.all(
    results
      .flatMap(({ outputFiles }) => outputFiles)
      .map(async ({ path, contents }) => {
        const name = basename(path);
        await writeFile(join(folder, name), contents);
        const known = earlier && (await readFile(join(earlier, name + BROTLI)).catch(() => null));
        await writeFile(join(folder, name + BROTLI), known ?? (await compressed(contents, compression === 'best')));
      }),
  );
  await writeFile(join(folder, MANIFEST), JSON.stringify({ entries, first } satisfies Manifest));
  const inputs = results.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  // Excludes modules that a package omits for browsers, and the virtual modules of the late parts.
  return inputs.filter((path) => !/^(\(disabled\)|late):/.test(path));
}

/** What a file cannot start without. */
function importedBy(outputs: Metafile['outputs'], start: string): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (path: string): void => {
    for (const { path: next, kind } of outputs[path]?.imports ?? []) {
      if (kind !== 'import-statement' || found.has(next)) continue;
      found.add(next);
      add(next);
    }
  };
  add(start);
  return found;
}

/** A clone starts four seconds of processor time earlier, with files that are a fortieth larger. */
const QUICK_QUALITY = 5;
/** Of large files the best quality takes seconds for a megabyte. */
const LARGE_BYTES = 500_000;
const LARGE_QUALITY = 9;

function compressed(bytes: Uint8Array, best: boolean): Promise<Buffer> {
  const most = bytes.length > LARGE_BYTES ? LARGE_QUALITY : constants.BROTLI_MAX_QUALITY;
  return promisify(brotliCompress)(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: best ? most : QUICK_QUALITY },
  });
}

/** A worker that few visits need: with files of its own, it does not split those of the first load. */
function isAlone(path: string): boolean {
  return [
    'drawing-worker',
    'device-worker',
    'device-sound-worker',
    'test-card-worker',
    'captions-worker',
    'thumbnail-worker',
  ].includes(basename(path, '.ts'));
}

async function bundleWorkers(isMeant: (path: string) => boolean) {
  const found = (await readdir(SOURCE, { recursive: true })).filter((path) => path.endsWith('-worker.ts')).sort();
  const entryPoints = found.filter(isMeant).map((path) => join(SOURCE, path));
  return build({ ...OPTIONS, entryPoints, plugins: [aacModule] });
}

/** The program of this package without its own worker: our policy accepts no script from a text. It is a module with one line of CommonJS. */
const aacModule: Plugin = {
  name: 'aac-module',
  setup({ onResolve, onLoad }) {
    const path = join(ROOT, 'node_modules', '@mediabunny', 'aac-encoder', 'dist', 'modules', 'build', 'aac.js');
    onResolve({ filter: /^@mediabunny\/aac-encoder\/module$/ }, () => ({ path }));
    onLoad({ filter: /aac-encoder.dist.modules.build.aac\.js$/ }, async () => {
      const text = await readFile(path, 'utf8');
      const [head, ending] = [
        'Object.defineProperty(exports, "__esModule", { value: true });',
        'exports.default = Module;',
      ];
      if (!text.includes(head) || !text.includes(ending)) throw new Error('another AAC program than the one known');
      return { contents: text.replace(head, '').replace(ending, 'export default Module;') };
    });
  },
};

/** The page that checks a browser, and its style: a page of its own, so that it does not split the files of the studio. */
async function bundleCheck() {
  return build({ ...OPTIONS, entryPoints: ['check-page.tsx', 'check.css'].map((name) => join(SOURCE, 'check', name)) });
}

/** The page and its style. Modules that it imports dynamically are late parts. */
async function bundlePage() {
  const entryPoints = ['main.tsx', 'studio.css', 'late.css'].map((name) => join(SOURCE, name));
  const { metafile } = await build({ ...OPTIONS, entryPoints, minify: false });
  return build({ ...OPTIONS, entryPoints, plugins: [late(lateParts(metafile))] });
}

/**
 * The late parts that are loaded as one file: separate files would be dozens of requests and more bytes. Those that need
 * the schemas of requests, which are as large as all others together, stay apart.
 */
function lateParts({ inputs, outputs }: Metafile): string[] {
  const needsSchemas = (path: string, seen = new Set<string>()): boolean => {
    if (seen.has(path)) return false;
    seen.add(path);
    const imports = (inputs[path]?.imports ?? []).filter(({ kind }) => kind === 'import-statement');
    return imports.some((next) => /\bnode_modules\/zod\//.test(next.path) || needsSchemas(next.path, seen));
  };
  const imports = Object.values(inputs).flatMap((input) => input.imports);
  const late = new Set(imports.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => path));
  const parts = [...late].filter((path) => !needsSchemas(path)).sort();
  const names = Object.values(outputs)
    .filter(({ entryPoint }) => entryPoint !== undefined && parts.includes(entryPoint))
    .flatMap(({ exports }) => exports);
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  if (twice.length > 0) throw new Error(`late parts of the studio export the same names: ${twice.join(', ')}`);
  return parts;
}

/**
 * All late parts import the app, which is loaded by then, so that the bundler does not split the first load into a file
 * for each shared part.
 */
function late(together: readonly string[]): Plugin {
  return {
    name: 'late',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
        if (kind !== 'dynamic-import') return undefined;
        const file = relative(ROOT, join(resolveDir, path)).split(sep).join('/');
        return { path: together.includes(file) ? 'late-parts' : file, namespace: 'late' };
      });
      onLoad({ filter: /./, namespace: 'late' }, ({ path }) => {
        const files = path === 'late-parts' ? together : [path];
        return {
          contents: [`import './${APP}';`, ...files.map((file) => `export * from './${file}';`)].join('\n'),
          resolveDir: ROOT,
        };
      });
    },
  };
}
