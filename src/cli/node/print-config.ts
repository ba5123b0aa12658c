import { configTable, readConfig } from '../../config/config.ts';
import { readArguments } from '../command-line/read-arguments.ts';
import type { Terminal } from '../command-line/terminal.ts';

/** `tiercut config`: every variable with its value and its purpose; a star marks values that are not the default. */
export async function configCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const { options } = readArguments('config', args);
  readConfig();
  if (options.json) {
    terminal.out(JSON.stringify(configTable(), null, 2));
    return 0;
  }
  const rows = configTable().map(({ name, value, default: fallback, doc }) => {
    return [name, value === fallback ? value : `${value} *`, doc] as const;
  });
  // Only the presets are longer; their line may exceed the column.
  const [first, second] = [Math.max(...rows.map(([name]) => name.length)), 14];
  terminal.out(`${'VARIABLE'.padEnd(first)}  ${'VALUE'.padEnd(second)}  MEANING`);
  for (const [name, value, doc] of rows) terminal.out(`${name.padEnd(first)}  ${value.padEnd(second)}  ${doc}`);
  return 0;
}
