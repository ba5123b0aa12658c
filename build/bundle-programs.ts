import { globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { build, type Plugin } from 'esbuild';

const ROOT = join(import.meta.dirname, '..');
const SRC = join(ROOT, 'src');
const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  dependencies: Readonly<Record<string, string>>;
};

/** Files that are started by name: the program itself and its thread. Paths in `src`. */
const SERVER_PROGRAMS = ['cli/main.ts', 'exports/submit/planning-thread.ts'];

/** The programs of a render child, in the order in which they start: two processes, and threads. */
const RENDER_PROGRAMS = [
  'sandbox/child/jail-main.ts',
  'sandbox/child/child-main.ts',
  'paint/svg/svg-worker.ts',
  'engine/sound/aac-worker.ts',
];

/** As Node takes the sources. */
const TYPESCRIPT = { compilerOptions: { verbatimModuleSyntax: true, useDefineForClassFields: true, target: 'esnext' } };

/**
 * Bundles the server and the programs of a render child: a few files, side by side in a folder, because each file costs
 * time to find and to load. Names stay as they are, and source maps beside the files give the original lines.
 * Dependencies are installed beside it unchanged. Packages that only a clone installs are bundled: the 2,034 constants of
 * node-av are slow to load, and npm would install `ip` (CVE-2024-29415) with it.
 *
 * @returns the bundled files, relative to the project.
 */
export async function bundlePrograms(folder: string): Promise<readonly string[]> {
  const plugins = [places()];
  // Apart, since both start faster from fewer parts than they would have in common.
  const made = await Promise.all(
    [SERVER_PROGRAMS, RENDER_PROGRAMS].map((programs) =>
      build({
        entryPoints: programs.map((path) => join(SRC, path)),
        entryNames: '[name]',
        chunkNames: 'part-[hash]',
        outdir: folder,
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
        logLevel: 'silent',
        external: Object.keys(dependencies),
        plugins,
      }),
    ),
  );
  return made.flatMap(({ metafile }) => Object.keys(metafile.inputs));
}

/** Gives each file its own location, although it is part of a bundle; programs that it starts are beside the bundle. */
function places(): Plugin {
  // A plugin is asked for each file that its filter names, which is slow: few sources ask for their location.
  const asking = globSync('**/*.ts', { cwd: SRC, exclude: ['studio'] })
    .filter((path) => readFileSync(join(SRC, path), 'utf8').includes('import.meta.'))
    .map((path) => basename(path, '.ts'));
  const filter = new RegExp(`[\\\\/](?:node_modules[\\\\/].*\\.js|(?:${asking.join('|')})\\.ts)$`);
  return {
    name: 'places',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]beside-module\.ts$/ }, () => ({
        contents: `export const besideModule = (path) => new URL(path.slice(path.lastIndexOf('/') + 1) + '.js', import.meta.url);`,
      }));
      onLoad({ filter }, async ({ path }) => {
        const text = await readFile(path, 'utf8');
        if (!text.includes('import.meta.')) return undefined;
        const place = placeOf(path);
        const contents = text.replaceAll('import.meta.dirname', place.dirname).replaceAll('import.meta.url', place.url);
        return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' };
      });
    },
  };
}

/** Where a file would be if the bundle had the folders of `src`, and the packages that are part of it, as expressions. */
function placeOf(path: string): { readonly url: string; readonly dirname: string } {
  const folder = path.startsWith(SRC) ? SRC : ROOT;
  const place = relative(folder, path).split(sep).join('/').replace(/\.ts$/, '.js');
  return {
    url: `new URL('./${place}', import.meta.url).href`,
    dirname: `(import.meta.dirname + '/${dirname(place)}')`,
  };
}
