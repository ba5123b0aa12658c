import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const PACKAGE = join(import.meta.dirname, '..', 'packages', 'n8n');

/**
 * Makes `dist/` of the nodes for n8n. n8n loads each file with `require`, by the path in package.json, and brings
 * n8n-workflow itself; all else is in the file, since a community node has no dependencies.
 */
export async function bundleN8n(folder: string): Promise<void> {
  const { n8n } = JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8')) as {
    readonly n8n: { readonly nodes: readonly string[]; readonly credentials: readonly string[] };
  };
  await build({
    absWorkingDir: PACKAGE,
    entryPoints: [...n8n.nodes, ...n8n.credentials].map((path) => path.replace(/^dist\//, '').replace(/\.js$/, '.ts')),
    outbase: '.',
    outdir: folder,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    external: ['n8n-workflow'],
    logLevel: 'silent',
  });
  await mkdir(folder, { recursive: true });
  for (const icon of ['tiercut.svg', 'tiercut.dark.svg']) await cp(join(PACKAGE, icon), join(folder, icon));
  // The package is of ES modules, what n8n loads is not.
  await writeFile(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleN8n(join(PACKAGE, 'dist'));
