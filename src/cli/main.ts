/**
 * The entry point. It loads almost nothing itself: a service restarts its process before anything is loaded twice.
 */
import { hasSourceMaps } from '../platform/program-files.ts';
import { restartWithLessMemory } from './start-frugally.ts';

/** Commands that keep running. */
const SERVICES: ReadonlySet<string> = new Set(['serve', 'work']);

const command = process.argv.slice(2);
const [name = 'help'] = command;
if (SERVICES.has(name)) restartWithLessMemory();
if (hasSourceMaps()) process.setSourceMapsEnabled(true);
const { runCommand } = await import('./run-command.ts');
process.exitCode = await runCommand(command);
