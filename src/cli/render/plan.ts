import { formatPlan } from '../../plan/format-plan.ts';
import { readArguments } from '../command-line/read-arguments.ts';
import type { WorkTerminal } from '../command-line/terminal.ts';
import { planProject } from '../project/plan-project.ts';
import { WebMedia } from '../project/web-media.ts';

/** `tiercut plan PROJECT.json`: the plan, as text or as JSON. */
export async function planCommand(args: readonly string[], terminal: WorkTerminal): Promise<number> {
  const { operand: project, options } = readArguments('plan', args);
  await using web = new WebMedia('plan', options['media-url'], terminal.status);
  const { plan } = await planProject(project, { ...options, web, signal: terminal.signal });
  terminal.out(options.json ? JSON.stringify(plan, null, 2) : formatPlan(plan).trimEnd());
  return 0;
}
