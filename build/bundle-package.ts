import { readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { Plugin } from 'esbuild';
import { withBundler } from '../src/platform/bundler.ts';
import { BUNDLE_OPTIONS, type ModuleLocation, placesAs, RENDER_PROGRAMS } from '../src/sandbox/bundle-programs.ts';

const ROOT = join(import.meta.dirname, '..');
const SRC = join(ROOT, 'src');
const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  dependencies: Readonly<Record<string, string>>;
};

/** Files that are started by name: the program itself and its thread. */
const SERVER_PROGRAMS = ['cli/main.ts', 'exports/submit/planning-thread.ts'];

/**
 * Bundles the server for the npm package: a few files, side by side in a folder. They load so fast that no compile
 * cache is needed. Dependencies are installed beside it unchanged, except for the code of node-av, whose 2,034
 * constants are slow to load. Packages that only a clone installs are bundled: a server over stdio needs only a small
 * part of the 29 MB of the Model Context Protocol's SDK.
 *
 * @returns the bundled files, relative to the project.
 */
export async function bundlePackage(folder: string): Promise<readonly string[]> {
  const taken = new Set<string>();
  // Apart, since both start faster from fewer parts than they would have in common.
  for (const programs of [SERVER_PROGRAMS, RENDER_PROGRAMS]) {
    const { metafile } = await withBundler((bundle) =>
      bundle({
        ...BUNDLE_OPTIONS,
        absWorkingDir: ROOT,
        metafile: true,
        entryPoints: programs.map((path) => join(SRC, path)),
        outdir: folder,
        chunkNames: 'part-[hash]',
        logLevel: 'warning',
        plugins: [BUILDERS_GO, DEPENDENCIES_STAY, placesAs(placeInPackage)],
      }),
    );
    for (const input of Object.keys(metafile.inputs)) taken.add(input);
  }
  return [...taken];
}

/** What bundles for a clone. */
const BUILDERS_GO: Plugin = {
  name: 'builders-go',
  setup(build) {
    build.onLoad({ filter: /[\\/](bundle-programs|studio-build)\.ts$/ }, () => ({
      contents: `throw new Error('only a clone builds');`,
    }));
  },
};

const DEPENDENCIES_STAY: Plugin = {
  name: 'dependencies-stay',
  setup(build) {
    build.onResolve({ filter: /^[a-z@]/ }, ({ path, kind }) => {
      const name = path.split('/', path.startsWith('@') ? 2 : 1).join('/');
      const stays = kind !== 'entry-point' && !path.startsWith('node-av/') && Object.hasOwn(dependencies, name);
      return stays ? { path, external: true } : undefined;
    });
  },
};

/**
 * Where a file would be if the package had the folders of `src`. A file of node-av finds the installed files of
 * node-av.
 */
function placeInPackage(path: string): ModuleLocation {
  if (!path.startsWith(SRC)) {
    const url = `import.meta.resolve('node-av/lib')`;
    return { url, dirname: `new URL('.', ${url}).pathname` };
  }
  const place = relative(SRC, path).split(sep).join('/').replace(/\.ts$/, '.js');
  return {
    url: `new URL('./${place}', import.meta.url).href`,
    dirname: `(import.meta.dirname + '/${dirname(place)}')`,
  };
}
