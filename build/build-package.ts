import { cp, readdir, rm, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { HLS_FILES } from '../src/http/pages/hls-script.ts';
import { buildStudioInto } from '../src/http/pages/studio-build.ts';
import { FONT_FILES } from '../src/paint/fonts/font-files.ts';
import { SVG_FONTS } from '../src/paint/svg/svg-fonts.ts';
import { billOfMaterials } from './bill-of-materials.ts';
import { bundlePackage } from './bundle-package.ts';
import { shippedPackages } from './shipped-packages.ts';
import { thirdPartyLicenses } from './third-party-licenses.ts';

/** `npm run prepack`: makes `dist/`, all code of the npm package and of the image, which need no further build step. */

const ROOT = join(import.meta.dirname, '..');
const [SRC, DIST, MODULES] = [join(ROOT, 'src'), join(ROOT, 'dist'), join(ROOT, 'node_modules')];

await rm(DIST, { recursive: true, force: true });
const inServer = await bundlePackage(DIST);
// Pages, styles, pictures and lists of words as they are.
const isRead = (path: string) => !path.endsWith('.ts');
for (const part of ['http/pages', 'paint/layout/words/lists', 'speech'])
  await cp(join(SRC, part), join(DIST, part), { recursive: true, filter: isRead });
const copied = [...FONT_FILES.map(({ path }) => path), ...SVG_FONTS.all, ...Object.values(HLS_FILES)];
await copyFromPackages(copied);
const bundled = await buildStudioInto(join(DIST, 'studio-built'));
const taken = [...copied.map((path) => relative(ROOT, path)), ...bundled, ...inServer];
const shipped = await shippedPackages(ROOT, taken);
await writeFile(join(DIST, 'THIRD-PARTY-LICENSES.txt'), await thirdPartyLicenses(shipped));
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
