/**
 * Loaded before every test file: what one of them has compiled the next does not compile again, nor do the programs they
 * start.
 */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/** Beside what the clone has installed, and gone with it. */
export const COMPILED = join(import.meta.dirname, '..', 'node_modules', '.cache', 'tiercut-tests');

enableCompileCache(COMPILED);
process.env.NODE_COMPILE_CACHE ??= COMPILED;
