/**
 * Where the program begins. It loads next to nothing by itself: all that comes after is found compiled, and a service begins anew before
 * there is anything to load twice.
 */
import { enableCompileCache } from 'node:module';
import { cloneCache } from '../platform/clone-cache.ts';
import { startFrugally } from './start-frugally.ts';

/** What stays. */
const SERVICES: ReadonlySet<string> = new Set(['serve', 'work']);

/** What has so little code that to look for it compiled takes longer than to compile it. */
const SHORT: ReadonlySet<string> = new Set(['config', 'completion', 'help', '--help', '-h', '--version', '-V']);

const command = process.argv.slice(2);
const [name = 'help'] = command;
const compiled = cloneCache('program');
if (SERVICES.has(name)) startFrugally(compiled);
if (compiled !== null && !SHORT.has(name)) enableCompileCache(compiled);
const { runCommand } = await import('./command-line/run-command.ts');
process.exitCode = await runCommand(command);
