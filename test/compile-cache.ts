/** Loaded before every test file: test files and the programs they start share one compile cache. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/** Beside what the clone has installed, and gone with it. */
export const COMPILED = join(import.meta.dirname, '..', 'node_modules', '.cache', 'tiercut-tests');

enableCompileCache(COMPILED);
process.env.NODE_COMPILE_CACHE ??= COMPILED;
