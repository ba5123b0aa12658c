import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { stop } from 'esbuild';
import { productVersion } from '../src/cli/command-line/product-version.ts';
import { HLS_FILES } from '../src/http/pages/hls-script.ts';
import { FONT_FILES } from '../src/paint/fonts/font-files.ts';
import { SVG_FONTS } from '../src/paint/svg/svg-worker.ts';
import { DEFAULT_TIMELINE_LIMITS } from '../src/timeline/limits.ts';
import { DEFAULT_PRESETS } from '../src/timeline/presets.ts';
import { projectSchema } from '../src/timeline/project/project-schema.ts';
import { billOfMaterials } from './bill-of-materials.ts';
import { makePrograms, ROOT, STUDIO } from './built.ts';
import { bundleStudio } from './bundle-studio.ts';
import { shippedPackages } from './shipped-packages.ts';
import { thirdPartyLicenses } from './third-party-licenses.ts';

/**
 * `npm run prepack`: makes `dist/`, all code of the npm package and of the image, which need no further build step. It
 * has what a clone runs, without source maps, and copies of the files that a clone reads from packages.
 */

const [DIST, MODULES] = [join(ROOT, 'dist'), join(ROOT, 'node_modules')];

await rm(DIST, { recursive: true, force: true });
await mkdir(DIST);
const bundled = (await Promise.all([makePrograms(DIST), bundleStudio(join(DIST, STUDIO), 'best')])).flat();
await stop();
const maps = (await readdir(DIST)).filter((name) => name.endsWith('.map'));
await Promise.all(maps.map((name) => rm(join(DIST, name))));
const copied = [...FONT_FILES.map(({ path }) => path), ...SVG_FONTS.all, ...Object.values(HLS_FILES)];
await copyFromPackages(copied);
const shipped = await shippedPackages(ROOT, [...copied.map((path) => relative(ROOT, path)), ...bundled]);
await writeFile(join(DIST, 'THIRD-PARTY-LICENSES.txt'), await thirdPartyLicenses(shipped));
await mkdir(join(DIST, 'schemas'));
const schema = projectSchema({ limits: DEFAULT_TIMELINE_LIMITS, presets: DEFAULT_PRESETS, version: productVersion() });
await writeFile(join(DIST, 'schemas', 'project.json'), `${JSON.stringify(schema, null, 2)}\n`);
await writeFile(join(DIST, 'sbom.cdx.json'), await billOfMaterials(ROOT, shipped));

/** Copies files, and the licences they are given away with, to where `packageFile` looks for them. */
async function copyFromPackages(paths: readonly string[]): Promise<void> {
  const files = new Set(paths.map((path) => relative(MODULES, path)));
  for (const file of [...files]) {
    const name = file.split(sep, file.startsWith('@') ? 2 : 1).join(sep);
    const licences = (await readdir(join(MODULES, name))).filter((each) => /^licen[cs]e/i.test(each));
    if (licences.length === 0) throw new Error(`${name} comes without a licence`);
    for (const licence of licences) files.add(join(name, licence));
  }
  for (const file of files) await cp(join(MODULES, file), join(DIST, 'packages', file));
}
