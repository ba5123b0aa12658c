import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { Plugin } from 'esbuild';
import { withBundler } from '../../platform/bundler.ts';
import { sha256 } from '../../platform/sha256.ts';
import {
  BROTLI,
  compressedFile,
  MANIFEST,
  type Manifest,
  readBuilt,
  readManifest,
  STUDIO_ASSETS,
  type StudioFile,
  type StudioFiles,
} from './studio-files.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const SOURCE = join(import.meta.dirname, '..', '..', 'studio');
const ENTRY_LIST = '*entries';

/**
 * The studio's files: from `cacheFolder` if an earlier start built them from the same inputs, else built now.
 *
 * @param cacheFolder null to keep nothing.
 */
export async function studioFiles(cacheFolder: string | null): Promise<StudioFiles> {
  if (cacheFolder === null) return (await build(null)).built;
  const kept = await readManifest(cacheFolder);
  // Another process may be replacing the folder.
  const ready = kept !== null && (await isOf(kept)) ? await readBuilt(cacheFolder, kept).catch(() => null) : null;
  if (ready !== null) return ready;
  const { built, manifest } = await build(cacheFolder);
  // If the files cannot be kept (a full or read-only disk), the next start builds them again.
  await writeBuilt(cacheFolder, built, manifest).catch(() => {});
  return built;
}

/**
 * Builds into a folder that is shipped.
 *
 * @returns the source files, relative to the project.
 */
export async function buildStudioInto(folder: string): Promise<readonly string[]> {
  const { built, manifest } = await build(folder);
  await writeBuilt(folder, built, { ...manifest, inputs: {} });
  return Object.keys(manifest.inputs).filter((path) => path !== ENTRY_LIST);
}

/**
 * @param folder of an earlier build: its compressed files are reused, by names that contain the hash of their content.
 */
async function build(folder: string | null): Promise<{ built: StudioFiles; manifest: Manifest }> {
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
    loader: { '.svg': 'file', '.webp': 'file' },
    metafile: true,
    write: false,
    logLevel: 'silent',
  } as const;
  // Page and workers share so little that common files would cost more than they save.
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
  const packing = outputFiles.map(async ({ path, contents }) => {
    const name = basename(path);
    const brotli = folder === null ? undefined : await readFile(join(folder, name + BROTLI)).catch(() => undefined);
    return [name, await compressedFile(path, Buffer.from(contents), brotli)] as const;
  });
  const files = new Map<string, StudioFile>(await Promise.all(packing));
  const inputs: Record<string, string> = { [ENTRY_LIST]: sha256([...pages, ...workers, ...LATE_PARTS].join('\n')) };
  // Excludes modules that a package omits for browsers, and the virtual module of the late parts.
  const read = results
    .flatMap(({ metafile }) => Object.keys(metafile.inputs))
    .filter((path) => !/^(\(disabled\)|late):/.test(path));
  for (const path of read) inputs[path] = sha256(await readFile(join(ROOT, path)));
  return { built: { entries, files }, manifest: { entries, inputs } };
}

/** The page and its style, and every worker. */
async function entryPoints(): Promise<{ readonly pages: string[]; readonly workers: string[] }> {
  const found = await readdir(SOURCE, { recursive: true });
  const named = (paths: readonly string[]) =>
    paths.map((path) => relative(ROOT, join(SOURCE, path)).split(sep).join('/'));
  return {
    pages: named(['main.tsx', 'studio.css', 'late.css']),
    workers: named(found.filter((path) => /-worker\.ts$/.test(path)).sort()),
  };
}

/** Parts that are not visible at first, loaded as one file: separate files would be a dozen requests and more bytes. */
const LATE_PARTS = [
  'board/name-field.tsx',
  'board/row-lines.tsx',
  'captions/captions-panel.tsx',
  'commands/context-menu.tsx',
  'export/draft.ts',
  'export/export-panel.tsx',
  'export/pick-up-export.ts',
  'files/clipboard.ts',
  'files/take-text.ts',
  'frame/export-options.tsx',
  'frame/export-share.tsx',
  'frame/first-visit.tsx',
  'frame/issues-menu.tsx',
  'frame/looks-notice.tsx',
  'frame/project-lines.tsx',
  'frame/projects/keeping-notes.tsx',
  'frame/projects/project-dialogs.tsx',
  'frame/projects/sync-bars.tsx',
  'frame/splitter.tsx',
  'keeping/forget-unused.ts',
  'keys/keys-sheet.tsx',
  'preview/ask-for-frame.ts',
  'preview/box/box-handles.tsx',
  'preview/element-frames.ts',
  'preview/seek-bar.tsx',
  'preview/sound/sound-player.ts',
  'sync/start-sync.ts',
  'take/after-take.tsx',
  'take/take-view.tsx',
  'take/unfinished-takes.tsx',
  'take/unfinished.ts',
  'timeline/add-lines.tsx',
  'timeline/pauses-panel.tsx',
  'timeline/phone-lanes.tsx',
  'timeline/recorder.tsx',
  'timeline/reveal-order.tsx',
  'timeline/transition-marks.tsx',
  'timeline/verdict-handle.tsx',
  'timeline/volume-handles.tsx',
];

/**
 * The modules that the page imports dynamically. All of them import the app, which is loaded by then, so that the
 * bundler does not split the first load into a file for each shared part.
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

/** The patterns of zod that are no formats of strings. */
const PLAIN: ReadonlySet<string> = new Set([
  'anyString',
  'bigint',
  'integer',
  'number',
  'boolean',
  'lowercase',
  'uppercase',
]);

/**
 * Workers only validate with schemas. Printing a schema as JSON Schema (a seventh of zod; the page's forms are made
 * from it), zod's own messages, which ours replace completely, and its string formats, which no request has, are
 * excluded from them.
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
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]core[\\/]regexes\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      // Matches nothing, so that a schema that uses a format fails at once.
      const without = (line: string, name: string) => (PLAIN.has(name) ? line : `export const ${name} = /(?!)/;`);
      return { contents: text.replace(/^export const (\w+) = \/.*;$/gm, without), resolveDir: dirname(path) };
    });
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]en\.js$/ }, () => ({
      contents: 'export default () => ({ localeError: () => undefined });',
    }));
  },
};

async function isOf({ inputs }: Manifest): Promise<boolean> {
  const { pages, workers } = await entryPoints();
  if (inputs[ENTRY_LIST] !== sha256([...pages, ...workers, ...LATE_PARTS].join('\n'))) return false;
  const same = await Promise.all(
    Object.entries(inputs).map(async ([path, hash]) => {
      if (path === ENTRY_LIST) return true;
      const bytes = await readFile(join(ROOT, path)).catch(() => null);
      return bytes !== null && sha256(bytes) === hash;
    }),
  );
  return same.every(Boolean);
}

/** Atomic: the folder gets its name when it is complete. */
async function writeBuilt(folder: string, { files }: StudioFiles, manifest: Manifest): Promise<void> {
  const fresh = `${folder}.${process.pid}`;
  try {
    await mkdir(fresh, { recursive: true });
    for (const [name, { bytes, brotli }] of files) {
      await writeFile(join(fresh, name), bytes);
      await writeFile(join(fresh, name + BROTLI), brotli);
    }
    await writeFile(join(fresh, MANIFEST), JSON.stringify(manifest));
    await rm(folder, { recursive: true, force: true });
    await rename(fresh, folder);
  } finally {
    // Exists only if the rename failed, or another process was faster.
    await rm(fresh, { recursive: true, force: true });
  }
}
