/**
 * Where the program begins. It loads next to nothing by itself: all that comes after is found compiled, and a service begins anew before
 * there is anything to load twice.
 */
import { compiledProgram, keepCompiledCode } from './render/compiled-code.ts';
import { startFrugally } from './start-frugally.ts';

/** What stays. */
const SERVICES: ReadonlySet<string> = new Set(['serve', 'work']);

/** What has so little code that to look for it compiled takes longer than to compile it. */
const SHORT: ReadonlySet<string> = new Set(['config', 'completion', 'help', '--help', '-h', '--version', '-V']);

const command = process.argv.slice(2);
const [name = 'help'] = command;
if (SERVICES.has(name)) startFrugally(compiledProgram());
if (!SHORT.has(name)) keepCompiledCode();
const { runCommand } = await import('./command-line/run-command.ts');
process.exitCode = await runCommand(command);
