import { dirname, join, relative, sep } from 'node:path';
import type { Plugin } from 'esbuild';
import { withBundler } from '../src/platform/bundler.ts';
import { BUNDLE_OPTIONS, type Place, placesAs, RENDER_PROGRAMS } from '../src/sandbox/bundle-programs.ts';

const SRC = join(import.meta.dirname, '..', 'src');

/** What is started by its own name: the program itself and its thread. */
const SERVER_PROGRAMS = ['cli/main.ts', 'exports/submit/planning-thread.ts'];

/**
 * Bundles the server for the npm package: some files, side by side in a folder. They load so fast that nothing need be kept compiled.
 * Packages are installed beside it as they are; only the code of node-av is taken in, because its 2,034 constants are slow to load.
 */
export async function bundlePackage(folder: string): Promise<void> {
  // Apart, since both start faster from fewer parts than they would have in common.
  for (const programs of [SERVER_PROGRAMS, RENDER_PROGRAMS]) {
    await withBundler((bundle) =>
      bundle({
        ...BUNDLE_OPTIONS,
        entryPoints: programs.map((path) => join(SRC, path)),
        outdir: folder,
        chunkNames: 'part-[hash]',
        logLevel: 'warning',
        plugins: [BUILDERS_GO, PACKAGES_STAY, placesAs(placeInPackage)],
      }),
    );
  }
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

const PACKAGES_STAY: Plugin = {
  name: 'packages-stay',
  setup(build) {
    build.onResolve({ filter: /^[a-z@]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('node-av/') ? undefined : { path, external: true },
    );
  },
};

/** Where a file would be if the package had the folders of `src`. A file of node-av finds what is installed with node-av. */
function placeInPackage(path: string): Place {
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
