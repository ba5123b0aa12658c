/** One measurement in a fresh process: `worker.ts MODE [prepare]`; prints what it took as JSON. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_MEDIA_LIMITS } from '../../src/engine/input/media-limits.ts';
import { SkiaPainter } from '../../src/paint/skia/skia-painter.ts';
import { frames } from '../../src/time.ts';
import { THEMES } from '../../src/timeline/choices.ts';
import { renderPreset } from '../../test/engine/encode/render-chunk.ts';
import { bareDecodeEncode } from './bare.ts';
import { type BenchRender, manyEntries, minuteInHd, minuteOfBoard, minuteOfClips } from './timelines.ts';

/** What a worker reports. */
export interface Measured {
  readonly frames: number;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMb: number;
}

async function render({ plan, files }: BenchRender, folder: string, whole = false): Promise<number> {
  const byField = new Map(plan.sources.map(({ field }, index) => [field, files.get(index)!]));
  const painter = await SkiaPainter.create({ plan, files: byField });
  const ranges = whole ? [{ start: frames(0), end: plan.totalFrames }] : plan.chunks;
  const jobs = ranges.map((range, index) => ({ range, out: join(folder, `${index}.mp4`) }));
  let done = 0;
  for await (const chunk of renderPreset({ plan, files, painter, limits: DEFAULT_MEDIA_LIMITS }, jobs))
    done += chunk.frames;
  return done;
}

const MODES: Readonly<Record<string, (folder: string) => Promise<() => Promise<number>>>> = {
  bare: async (folder) => {
    const clips = await minuteOfClips();
    return () => bareDecodeEncode(clips, join(folder, 'bare.mp4'));
  },
  clips: async (folder) => {
    const clips = await minuteOfClips();
    return () => render(clips, folder);
  },
  full: async (folder) => {
    const hd = await minuteInHd();
    return () => render(hd, folder);
  },
  whole: async (folder) => {
    const hd = await minuteInHd();
    return () => render(hd, folder, true);
  },
  entries60: async (folder) => {
    const few = await manyEntries(60);
    return () => render(few, folder);
  },
  entries600: async (folder) => {
    const many = await manyEntries(600);
    return () => render(many, folder);
  },
  ...Object.fromEntries(
    THEMES.map((theme) => [
      theme,
      async (folder: string) => {
        const board = await minuteOfBoard(theme);
        return () => render(board, folder);
      },
    ]),
  ),
};

const folder = await mkdtemp(join(tmpdir(), 'tiercut-bench-run-'));
try {
  const [, , mode, prepare] = process.argv;
  const run = await MODES[mode!]!(folder);
  const started = performance.now();
  const before = process.cpuUsage();
  const count = prepare === undefined ? await run() : 0;
  const { user, system } = process.cpuUsage(before);
  const measured: Measured = {
    frames: count,
    wallMs: performance.now() - started,
    cpuMs: (user + system) / 1000,
    peakMb: process.resourceUsage().maxRSS / 1024,
  };
  console.log(JSON.stringify(measured));
} finally {
  await rm(folder, { recursive: true, force: true });
}
