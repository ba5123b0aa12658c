import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BUILT } from '../src/platform/program-files.ts';
import { cpuSeconds } from '../test/service/process-tree.ts';
import { benchClip } from './render/media.ts';
import { writeProjectOf } from './render/project.ts';
import { treeMegabytes } from './render/tree-memory.ts';

const MAIN = join(BUILT, 'main.js');
const SIZE = { width: 3840, height: 2160 };
const CYCLE = 2;
const LOOK_EVERY_MS = 100;
const MAX_MEGABYTES = 1_536;
/** Of the peak of a longer video to that of a shorter one: fills of pools and garbage differ by this much. */
const MAX_GROWTH = 1.05;

interface Measured {
  readonly cpuSeconds: number;
  /** Of the program and its render child together; memory that both share counts once. */
  readonly peakMegabytes: number;
}

/**
 * `npm run bench -- large [--fps 30,60] [--seconds 6,12]`: one preset of 3840×2160 from 4K clips with boards and subtitles, as
 * `tiercut render` renders it: peak memory and CPU for a second of video. Two lengths show whether memory grows with the video.
 */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { fps: { type: 'string', default: '30,60' }, seconds: { type: 'string', default: '6,12' } },
  });
  const clip = await benchClip({ name: 'uhd1', ...SIZE, seconds: 2 * CYCLE, seed: 1 });
  const folder = await mkdtemp(join(tmpdir(), 'tiercut-large-'));
  try {
    console.log('| 3840×2160 | CPU s | CPU s a second of video | peak memory, MB | at most |\n|---|---|---|---|---|');
    for (const fps of values.fps.split(',').map(Number)) {
      const peaks: number[] = [];
      for (const seconds of values.seconds.split(',').map(Number)) {
        const project = await writeProjectOf(
          folder,
          { uhd: clip },
          { seconds, cycle: CYCLE, settings: { ...SIZE, fps } },
        );
        const { cpuSeconds: cpu, peakMegabytes } = await measure(project, join(folder, 'out.mp4'));
        const cells = [`${seconds} s at ${fps} fps`, cpu.toFixed(1), (cpu / seconds).toFixed(1)];
        console.log(`| ${[...cells, peakMegabytes.toFixed(0), MAX_MEGABYTES].join(' | ')} |`);
        peaks.push(peakMegabytes);
      }
      console.log(`| growth at ${fps} fps | | | ${(peaks.at(-1)! / peaks[0]!).toFixed(3)} | ${MAX_GROWTH} |`);
    }
    console.log(`\nload ${loadavg()[0]!.toFixed(1)} at the end`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(project: string, out: string): Promise<Measured> {
  const command = [MAIN, 'render', project, '-o', out, '--json', '--preset', 'preset_one'];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const peak = { megabytes: 0, cpu: 0 };
  const timer = setInterval(() => void look(child, peak), LOOK_EVERY_MS);
  const [code] = await ended;
  clearInterval(timer);
  if (code !== 0) throw new Error(`the render ended with ${code}`);
  return { cpuSeconds: peak.cpu, peakMegabytes: peak.megabytes };
}

async function look({ pid }: ChildProcess, peak: { megabytes: number; cpu: number }): Promise<void> {
  peak.megabytes = Math.max(peak.megabytes, await treeMegabytes(pid!));
  peak.cpu = Math.max(peak.cpu, cpuSeconds(pid!));
}
