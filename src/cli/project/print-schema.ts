import { readConfig, timelineLimits } from '../../config/config.ts';
import { projectSchema } from '../../timeline/project/project-schema.ts';
import { productVersion } from '../command-line/product-version.ts';
import { readArguments } from '../command-line/read-arguments.ts';
import type { Terminal } from '../command-line/terminal.ts';

/** `tiercut schema`: the JSON Schema of a project, with the limits and presets of the configuration. (C82) */
export async function schemaCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  readArguments('schema', args);
  const config = readConfig();
  const { presets } = config;
  terminal.out(
    JSON.stringify(projectSchema({ limits: timelineLimits(config), presets, version: productVersion() }), null, 2),
  );
  return 0;
}
