import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BUILT } from '../src/platform/program-files.ts';
import { type Cost, measureProcess } from './peers/measured-process.ts';
import { writeProject } from './render/project.ts';

const MAIN = join(BUILT, 'main.js');
const MAX_RATIO = 1.7;

/**
 * `npm run bench -- presets [--rounds N] [--seconds N] [--presets A,B]`: the cost of the three presets of a video
 * rendered side by side, and of the first of them alone, as in `tiercut render`: in turns and in fresh processes;
 * prints medians.
 */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '1' },
      seconds: { type: 'string', default: '20' },
      presets: { type: 'string', default: 'preset_one,all' },
    },
  });
  const folder = await mkdtemp(join(tmpdir(), 'tiercut-presets-'));
  try {
    const project = await writeProject(folder, Number(values.seconds));
    const presets = values.presets.split(',');
    const costs = new Map<string, Cost[]>(presets.map((preset) => [preset, []]));
    for (let round = 0; round < Number(values.rounds); round += 1) {
      for (const preset of presets) {
        const load = loadavg()[0]!.toFixed(1);
        const out = join(folder, 'out.mp4');
        const command = [MAIN, 'render', project, '-o', out, '--json', '--preset', preset];
        const cost = await measureProcess(process.execPath, command, { TIERCUT_RENDERS_AT_ONCE: '1' });
        costs.get(preset)!.push(cost);
        const { wallSeconds, cpuSeconds } = cost;
        console.error(`${preset}: ${wallSeconds.toFixed(1)} s, CPU ${cpuSeconds.toFixed(1)} s, load ${load}`);
      }
    }
    const cpu = (preset: string) => median(costs.get(preset)!.map(({ cpuSeconds }) => cpuSeconds));
    console.log('| preset | wall s | CPU s |\n|---|---|---|');
    for (const [preset, all] of costs) {
      const wall = median(all.map(({ wallSeconds }) => wallSeconds));
      console.log(`| ${preset} | ${wall.toFixed(1)} | ${cpu(preset).toFixed(1)} |`);
    }
    if (costs.has('all') && costs.has('preset_one')) {
      console.log(`\nthree / one, CPU: ${(cpu('all') / cpu('preset_one')).toFixed(2)} (at most ${MAX_RATIO})`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
