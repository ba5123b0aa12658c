import { spawnSync } from 'node:child_process';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildStudioInto } from '../src/http/pages/studio-build.ts';

/** `npm run prepack`: makes `dist/` from `src/`, for the npm package alone: Node strips no types under node_modules. */

const ROOT = join(import.meta.dirname, '..');
const [SRC, DIST] = [join(ROOT, 'src'), join(ROOT, 'dist')];

await rm(DIST, { recursive: true, force: true });
const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
  cwd: ROOT,
  stdio: 'inherit',
});
if (status !== 0) process.exit(1);
// Pages, styles and pictures as they are; the studio built ahead, since its sources do not come along.
const isServed = (path: string) => !path.endsWith('.ts') && !/[/\\]src[/\\]studio(-built)?\b/.test(path);
await cp(SRC, DIST, { recursive: true, filter: isServed });
await buildStudioInto(join(DIST, 'studio-built'));
