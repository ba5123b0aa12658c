import { execFileSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** `npm run bench -- NAME [ARGS]` runs bench/NAME.ts. */
const [name, ...args] = process.argv.slice(2);
const names = (await readdir(import.meta.dirname))
  .filter((file) => file.endsWith('.ts') && file !== 'main.ts')
  .map((file) => file.slice(0, -'.ts'.length));
if (name === undefined || !names.includes(name)) {
  console.error(`npm run bench -- NAME, where NAME is one of: ${names.join(', ')}`);
  process.exitCode = 2;
} else {
  // In a process of its own: this one would use the build before it, because the builder looks for that one.
  const builder = join(import.meta.dirname, '..', 'build', 'built.ts');
  execFileSync(process.execPath, [builder], { stdio: ['ignore', 'ignore', 'inherit'] });
  const bench = (await import(`./${name}.ts`)) as { run(args: readonly string[]): Promise<void> };
  await bench.run(args);
}
