/**
 * The entry point. It loads almost nothing itself: the rest comes from the compile cache, and a service restarts its
 * process before anything is loaded twice.
 */
import { enableCompileCache } from 'node:module';
import { cloneCache } from '../platform/clone-cache.ts';
import { restartWithLessMemory } from './start-frugally.ts';

/** Commands that keep running. */
const SERVICES: ReadonlySet<string> = new Set(['serve', 'work']);

/** Commands with so little code that the compile cache would take longer than compiling. */
const SHORT: ReadonlySet<string> = new Set(['config', 'completion', 'help', '--help', '-h', '--version', '-V']);

const command = process.argv.slice(2);
const [name = 'help'] = command;
const compiled = cloneCache('program');
if (SERVICES.has(name)) restartWithLessMemory(compiled);
if (compiled !== null && !SHORT.has(name)) enableCompileCache(compiled);
const { runCommand } = await import('./command-line/run-command.ts');
process.exitCode = await runCommand(command);
