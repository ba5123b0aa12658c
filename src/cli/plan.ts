import { parseArgs } from 'node:util';
import { jsonLimits, readConfig, timelineLimits } from '../config.ts';
import { ExportError } from '../errors.ts';
import { ENGINE_VERSION } from '../plan/engine-version.ts';
import { formatPlan } from '../plan/format-plan.ts';
import { planRender } from '../plan/plan-render.ts';
import { parseRequest } from '../timeline/parse-request.ts';
import { findPreset } from '../timeline/presets.ts';
import { readFactsFile } from './facts-file.ts';
import { readProject } from './project-file.ts';
import type { Terminal } from './terminal.ts';

/** `tiercut plan project.json`: what will be rendered, as text or as JSON. */
export async function planCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { preset: { type: 'string' }, facts: { type: 'string' }, json: { type: 'boolean' } },
  });
  const [projectFile] = positionals;
  if (projectFile === undefined || values.facts === undefined) {
    throw new ExportError(
      'invalid',
      'cli.usage',
      'tiercut plan PROJECT.json --facts FACTS.json [--preset NAME] [--json]',
    );
  }
  const config = readConfig();
  const project = await readProject(projectFile, jsonLimits(config));
  const facts = await readFactsFile(values.facts, jsonLimits(config));
  const limits = timelineLimits(config);
  const request = parseRequest(project.documents, { limits, presets: config.presets, uploads: new Set(facts.keys()) });
  const name = values.preset ?? request.settings.preset;
  const preset = findPreset(config.presets, name);
  if (preset === undefined) {
    const names = config.presets.flatMap(({ name: own, aliases }) => [own, ...aliases]).join(', ');
    throw new ExportError('invalid', 'cli.usage', `--preset must be one of ${names}, not ${JSON.stringify(name)}.`);
  }
  const plan = planRender(request, { facts, preset, limits, engineVersion: ENGINE_VERSION });
  terminal.out(values.json ? JSON.stringify(plan, null, 2) : formatPlan(plan).trimEnd());
  return 0;
}
