import { readdir } from 'node:fs/promises';
import { built } from '../build/built.ts';

/** `npm run bench -- NAME [ARGS]` runs bench/NAME.ts. */
const [name, ...args] = process.argv.slice(2);
const names = (await readdir(import.meta.dirname))
  .filter((file) => file.endsWith('.ts') && file !== 'main.ts')
  .map((file) => file.slice(0, -'.ts'.length));
if (name === undefined || !names.includes(name)) {
  console.error(`npm run bench -- NAME, where NAME is one of: ${names.join(', ')}`);
  process.exitCode = 2;
} else {
  await built();
  const bench = (await import(`./${name}.ts`)) as { run(args: readonly string[]): Promise<void> };
  await bench.run(args);
}
