/**
 * The entry point. It loads almost nothing itself: a service restarts its process before anything is loaded twice.
 */
import { mapStacks } from '../platform/mapped-stacks.ts';
import { restartWithLessMemory } from './start-frugally.ts';

/** Commands that keep running. */
const SERVICES: ReadonlySet<string> = new Set(['serve', 'work']);

const command = process.argv.slice(2);
const [name = 'help'] = command;
if (SERVICES.has(name)) restartWithLessMemory();
mapStacks();
const { runCommand } = await import('./run-command.ts');
process.exitCode = await runCommand(command);
