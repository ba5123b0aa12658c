import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { prepareCode } from '../src/sandbox/prepare-code.ts';
import { COMPILED } from './compile-cache.ts';

const folder = join(COMPILED, 'children');

/** The render program ready to run, as a service makes it when it starts; here once, for all files of a test run. */
export const codeDir = await prepareCode(folder);

/** Has a service's data folder find it too, as if one had run there before: to make it takes longer than most tests. */
export function lendCode(to: string): void {
  symlinkSync(folder, to);
}
