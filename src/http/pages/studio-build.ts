import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Plugin } from 'esbuild';
import { withBundler } from '../../platform/bundler.ts';

/** A file of the studio as it is served: its name has the hash of its content. */
interface StudioFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly gzip: Buffer;
}

/** The studio, built. */
export interface StudioFiles {
  /** File names by entry: `main`, `studio` (the style), and one for each worker. */
  readonly entries: Readonly<Record<string, string>>;
  readonly files: ReadonlyMap<string, StudioFile>;
}

interface Manifest {
  readonly entries: Readonly<Record<string, string>>;
  /** The SHA-256 of everything it was made of, by path in the project; the list of its entries is one of them. */
  readonly inputs: Readonly<Record<string, string>>;
}

const ROOT = join(import.meta.dirname, '..', '..', '..');
const SOURCE = join(import.meta.dirname, '..', '..', 'studio');
const BUILT_AHEAD = join(import.meta.dirname, '..', '..', 'studio-built');
const MANIFEST = 'manifest.json';
const ENTRY_LIST = '*entries';

/**
 * The studio's files: those built ahead (npm package, container), else those that an earlier start built into `cacheFolder`
 * of the same inputs, else built now.
 *
 * @param cacheFolder null: nothing is kept.
 */
export async function studioFiles(cacheFolder: string | null): Promise<StudioFiles> {
  const ahead = await readManifest(BUILT_AHEAD);
  if (ahead !== null) return readBuilt(BUILT_AHEAD, ahead);
  if (cacheFolder === null) return (await build()).built;
  const kept = await readManifest(cacheFolder);
  if (kept !== null && (await isOf(kept))) return readBuilt(cacheFolder, kept);
  const { built, manifest } = await build();
  // What cannot be kept (a full or read-only disk) is built again next time.
  await writeBuilt(cacheFolder, built, manifest).catch(() => {});
  return built;
}

/** Builds into a folder, for whoever ships it. */
export async function buildStudioInto(folder: string): Promise<void> {
  const { built, manifest } = await build();
  await writeBuilt(folder, built, { ...manifest, inputs: {} });
}

async function build(): Promise<{ built: StudioFiles; manifest: Manifest }> {
  const { pages, workers } = await entryPoints();
  const options = {
    absWorkingDir: ROOT,
    outdir: join(ROOT, 'built'),
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    assetNames: '[name]-[hash]',
    publicPath: STUDIO_ASSETS,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    loader: { '.svg': 'file' },
    metafile: true,
    write: false,
    logLevel: 'silent',
  } as const;
  // Page and workers share so little that parts in common would weigh more than they save.
  const results = await withBundler((bundle) =>
    Promise.all([
      bundle({ ...options, entryPoints: pages, plugins: [LATE] }),
      bundle({ ...options, entryPoints: workers, plugins: [CHECKS_ALONE] }),
    ]),
  );
  const outputFiles = results.flatMap((result) => result.outputFiles);
  const entries: Record<string, string> = {};
  for (const [path, { entryPoint }] of results.flatMap(({ metafile }) => Object.entries(metafile.outputs))) {
    if (entryPoint !== undefined)
      entries[basename(entryPoint.replace('late:', '')).replace(/\.\w+$/, '')] = basename(path);
  }
  const files = new Map<string, StudioFile>();
  for (const { path, contents } of outputFiles) files.set(basename(path), await packed(path, Buffer.from(contents)));
  const inputs: Record<string, string> = { [ENTRY_LIST]: hashOf([...pages, ...workers, ...LATE_PARTS].join('\n')) };
  // What a package leaves out for browsers is no file, nor is the way to what is fetched late.
  const read = results
    .flatMap(({ metafile }) => Object.keys(metafile.inputs))
    .filter((path) => !/^(\(disabled\)|late):/.test(path));
  for (const path of read) inputs[path] = hashOf(await readFile(join(ROOT, path)));
  return { built: { entries, files }, manifest: { entries, inputs } };
}

/** Where the files are served. */
export const STUDIO_ASSETS = '/assets/studio';

/** The page and its style, and every worker. */
async function entryPoints(): Promise<{ readonly pages: string[]; readonly workers: string[] }> {
  const found = await readdir(SOURCE, { recursive: true });
  const named = (paths: readonly string[]) =>
    paths.map((path) => relative(ROOT, join(SOURCE, path)).split(sep).join('/'));
  return {
    pages: named(['main.tsx', 'studio.css']),
    workers: named(found.filter((path) => /-worker\.ts$/.test(path)).sort()),
  };
}

/** What nobody sees before the page stands, fetched as one file: a file each would be a dozen requests, and more bytes. */
const LATE_PARTS = [
  'export/export-panel.tsx',
  'export/pick-up-export.ts',
  'frame/first-visit.tsx',
  'frame/issues-menu.tsx',
  'frame/project-lines.tsx',
  'keys/keys-sheet.tsx',
  'preview/ask-for-frame.ts',
  'preview/box/box-handles.tsx',
  'preview/element-frames.ts',
  'preview/sound/sound-player.ts',
  'timeline/add-lines.tsx',
  'timeline/recorder.tsx',
];

/**
 * What the page imports dynamically. All of it names the app as an import: since the app is there by then, the bundler need not cut the
 * first load into a piece for each part that shares something with it.
 */
const LATE: Plugin = {
  name: 'late',
  setup(build) {
    build.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const file = relative(SOURCE, join(resolveDir, path)).split(sep).join('/');
      return { path: LATE_PARTS.includes(file) ? 'late-parts' : file, namespace: 'late' };
    });
    build.onLoad({ filter: /./, namespace: 'late' }, ({ path }) => {
      const files = path === 'late-parts' ? LATE_PARTS : [path];
      return {
        contents: ["import './app.tsx';", ...files.map((file) => `export * from './${file}';`)].join('\n'),
        resolveDir: SOURCE,
      };
    });
  },
};

/**
 * Workers only check with schemas: what prints a schema as JSON Schema (a seventh of zod; the page's forms are made from it), and zod's
 * own messages, which ours replace to the last one, stay out of them.
 */
const CHECKS_ALONE: Plugin = {
  name: 'checks-alone',
  setup(build) {
    build.onLoad(
      { filter: /[\\/]zod[\\/]v4[\\/]core[\\/](json-schema-processors|to-json-schema)\.js$/ },
      async ({ path }) => {
        const text = await readFile(path, 'utf8');
        const names = [...text.matchAll(/^export (?:const|function) (\w+)|^export \{ \w+ as (\w+) \}/gm)];
        return { contents: names.map(([, made, renamed]) => `export const ${made ?? renamed} = () => {};`).join('\n') };
      },
    );
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]en\.js$/ }, () => ({
      contents: 'export default () => ({ localeError: () => undefined });',
    }));
  },
};

async function isOf({ inputs }: Manifest): Promise<boolean> {
  const { pages, workers } = await entryPoints();
  if (inputs[ENTRY_LIST] !== hashOf([...pages, ...workers, ...LATE_PARTS].join('\n'))) return false;
  const same = await Promise.all(
    Object.entries(inputs).map(async ([path, hash]) => {
      if (path === ENTRY_LIST) return true;
      const bytes = await readFile(join(ROOT, path)).catch(() => null);
      return bytes !== null && hashOf(bytes) === hash;
    }),
  );
  return same.every(Boolean);
}

async function readManifest(folder: string): Promise<Manifest | null> {
  try {
    return JSON.parse(await readFile(join(folder, MANIFEST), 'utf8'));
  } catch {
    return null;
  }
}

async function readBuilt(folder: string, { entries }: Manifest): Promise<StudioFiles> {
  const files = new Map<string, StudioFile>();
  for (const name of await readdir(folder)) {
    if (name !== MANIFEST) files.set(name, await packed(name, await readFile(join(folder, name))));
  }
  return { entries, files };
}

/** All or nothing: the folder appears under its name when it is complete. */
async function writeBuilt(folder: string, { files }: StudioFiles, manifest: Manifest): Promise<void> {
  const fresh = `${folder}.${process.pid}`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  for (const [name, { bytes }] of files) await writeFile(join(fresh, name), bytes);
  await writeFile(join(fresh, MANIFEST), JSON.stringify(manifest));
  await rm(folder, { recursive: true, force: true });
  await rename(fresh, folder);
}

async function packed(path: string, bytes: Buffer): Promise<StudioFile> {
  const type = TYPES[path.slice(path.lastIndexOf('.'))] ?? 'application/octet-stream';
  return { type, bytes, gzip: await promisify(gzip)(bytes, { level: 9 }) };
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
