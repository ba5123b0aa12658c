import { formatPlan } from '../plan/format-plan.ts';
import { readArguments } from './command-line/read-arguments.ts';
import { planProject } from './plan-project.ts';
import type { Terminal } from './terminal.ts';

/** `tiercut plan PROJECT.json`: what will be rendered, as text or as JSON. */
export async function planCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const { operand: project, options } = readArguments('plan', args);
  const { plan } = await planProject(project, options);
  terminal.out(options.json ? JSON.stringify(plan, null, 2) : formatPlan(plan).trimEnd());
  return 0;
}
