import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createCanvas } from '@napi-rs/canvas';
import { BUILT } from '../src/platform/program-files.ts';
import { measureProcess } from './peers/measured-process.ts';
import { benchClip } from './render/media.ts';

const MAIN = join(BUILT, 'main.js');
/** So often the second that is measured is repeated in a video: starting a process does not count then. */
const SECONDS = 4;
const MOST = { crossfade: 1.6, ken_burns: 0.8 };

/**
 * `npm run bench -- motion [--rounds N]`: processor time of a second of crossfade between two clips in 1080p, and of a photo that moves, beside the
 * same seconds of clips cut hard. In turns and in fresh processes; medians count.
 */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { rounds: { type: 'string', default: '3' } } });
  const folder = await mkdtemp(join(tmpdir(), 'tiercut-motion-'));
  try {
    const media = {
      a: await benchClip({ name: 'hd1', width: 1920, height: 1080, seconds: 20, seed: 1 }),
      b: await benchClip({ name: 'hd2', width: 1920, height: 1080, seconds: 20, seed: 2 }),
      photo: await photo(folder),
    };
    // Each crossfade is a second long: a second of every two.
    const clips = (transition: object | undefined) =>
      Array.from({ length: SECONDS }, (_, n) => ({
        ...{ file_field: 'ab'[n % 2], start: 2 * n, duration: 2, trim_start: n },
        ...(n > 0 && transition !== undefined && { transition }),
      }));
    const seconds = 2 * SECONDS;
    const still = { file_field: 'photo', duration: seconds, fit: 'cover', motion: 'ken_burns' };
    const projects = {
      cut: { videos: clips(undefined) },
      crossfade: { videos: clips({ kind: 'crossfade', duration: 1 }) },
      ken_burns: { videos: [still] },
    };
    const costs: Record<string, number[]> = { cut: [], crossfade: [], ken_burns: [] };
    for (let round = 0; round < Number(values.rounds); round += 1) {
      for (const [name, timeline_data] of Object.entries(projects)) {
        const used = Object.fromEntries(
          Object.entries(media).filter(([field]) => timeline_data.videos.some((video) => video.file_field === field)),
        );
        const project = join(folder, `${name}.json`);
        await writeFile(project, JSON.stringify({ tier_list: {}, timeline_data, media: used }));
        const command = [MAIN, 'render', project, '-o', join(folder, 'out.mp4'), '--preset', 'preset_one'];
        const { cpuSeconds } = await measureProcess(process.execPath, command, { TIERCUT_RENDERS_AT_ONCE: '1' });
        costs[name]!.push(cpuSeconds);
        console.error(`${name}: CPU ${cpuSeconds.toFixed(1)} s`);
      }
    }
    const cpu = (name: string) => costs[name]!.toSorted((x, y) => x - y)[costs[name]!.length >> 1]!;
    const second = cpu('cut') / seconds;
    const crossed = (cpu('crossfade') - cpu('cut')) / (SECONDS - 1) + second;
    console.log('| a second of | CPU s | to a second cut hard | at most |\n|---|---|---|---|');
    console.log(`| clips, cut hard | ${second.toFixed(2)} | 1 | |`);
    console.log(`| crossfade | ${crossed.toFixed(2)} | ${(crossed / second).toFixed(2)} | ${MOST.crossfade} |`);
    const moved = cpu('ken_burns') / seconds;
    console.log(`| ken_burns | ${moved.toFixed(2)} | ${(moved / second).toFixed(2)} | ${MOST.ken_burns} |`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A photo of twelve megapixels: soft light, and texture as fine as leaves. */
async function photo(folder: string): Promise<string> {
  const canvas = createCanvas(4000, 3000);
  const context = canvas.getContext('2d');
  const sky = context.createLinearGradient(0, 0, 0, 3000);
  sky.addColorStop(0, '#7fb0e0');
  sky.addColorStop(1, '#40502c');
  context.fillStyle = sky;
  context.fillRect(0, 0, 4000, 3000);
  let seed = 1;
  const random = () => {
    seed = (seed * 48271) % 2147483647;
    return seed / 2147483647;
  };
  for (let leaf = 0; leaf < 60_000; leaf += 1) {
    context.fillStyle = `hsl(${60 + 80 * random()} ${30 + 40 * random()}% ${15 + 50 * random()}%)`;
    context.beginPath();
    context.ellipse(4000 * random(), 900 + 2100 * random(), 4 + 12 * random(), 2 + 5 * random(), 3 * random(), 0, 7);
    context.fill();
  }
  const file = join(folder, 'photo.jpg');
  await writeFile(file, canvas.toBuffer('image/jpeg', 92));
  return file;
}
