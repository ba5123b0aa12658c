import { parseArgs } from 'node:util';
import { ExportError } from '../errors.ts';
import { formatPlan } from '../plan/format-plan.ts';
import { planProject } from './plan-project.ts';
import type { Terminal } from './terminal.ts';

/** `tiercut plan PROJECT.json`: what will be rendered, as text or as JSON. */
export async function planCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { preset: { type: 'string' }, facts: { type: 'string' }, json: { type: 'boolean' } },
  });
  const [project, ...others] = positionals;
  if (project === undefined || others.length > 0) {
    throw new ExportError(
      'invalid',
      'cli.usage',
      'tiercut plan PROJECT.json [--preset NAME] [--facts FACTS.json] [--json]',
    );
  }
  const { plan } = await planProject(project, values);
  terminal.out(values.json ? JSON.stringify(plan, null, 2) : formatPlan(plan).trimEnd());
  return 0;
}
