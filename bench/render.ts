import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_MEDIA_LIMITS } from '../src/engine/input/media-limits.ts';
import { childLimits } from '../src/sandbox/host/child-limits.ts';
import { CHILD_FLAGS, CHILD_MEMORY } from '../src/sandbox/jail/resource-limits.ts';
import { launchRenderChild } from '../src/sandbox/render-child.ts';
import { THEMES } from '../src/timeline/choices.ts';
import { minuteInHd } from './render/timelines.ts';
import type { Measured } from './render/worker.ts';

const ROUNDS = 3;

/** One ratio: `of` against `to`, alternating in fresh processes, and what it may be at most. */
interface Comparison {
  readonly part: string;
  readonly what: string;
  readonly of: string;
  readonly to: string;
  readonly figure: (measured: Measured) => number;
  readonly atMost: number;
}

const cpuAFrame = ({ cpuMs, frames }: Measured) => cpuMs / frames;
const COMPARISONS: readonly Comparison[] = [
  {
    part: 'a',
    what: 'full render / bare decode and encode, wall',
    of: 'full',
    to: 'bare',
    figure: ({ wallMs }) => wallMs,
    atMost: 1.1,
  },
  {
    part: 'a',
    what: 'full render / bare decode and encode, CPU',
    of: 'full',
    to: 'bare',
    figure: ({ cpuMs }) => cpuMs,
    atMost: 1.1,
  },
  {
    part: 'a',
    what: 'clips alone / bare decode and encode, CPU',
    of: 'clips',
    to: 'bare',
    figure: ({ cpuMs }) => cpuMs,
    atMost: 1.1,
  },
  {
    part: 'b',
    what: '600 entries / 60 entries, CPU a frame',
    of: 'entries600',
    to: 'entries60',
    figure: cpuAFrame,
    atMost: 1.1,
  },
  {
    part: 'b',
    what: '600 entries / 60 entries, peak memory',
    of: 'entries600',
    to: 'entries60',
    figure: ({ peakMb }) => peakMb,
    atMost: 1.15,
  },
  {
    part: 'd',
    what: 'in chunks / one encode, wall',
    of: 'full',
    to: 'whole',
    figure: ({ wallMs }) => wallMs,
    atMost: 1.04,
  },
  {
    part: 'd',
    what: 'in chunks / one encode, CPU',
    of: 'full',
    to: 'whole',
    figure: ({ cpuMs }) => cpuMs,
    atMost: 1.04,
  },
  ...THEMES.filter((theme) => theme !== 'midnight').map((theme) => ({
    part: 'e',
    what: `a minute of board in ${theme} / in midnight, CPU`,
    of: theme,
    to: 'midnight',
    figure: ({ cpuMs }: Measured) => cpuMs,
    atMost: 1.25,
  })),
];
/** Compared runs follow each other directly, in alternating order: a machine's speed changes by the minute. */
const IN_TURN = ['clips', 'bare', 'full', 'whole', 'entries60', 'entries600', ...THEMES];
const PEAK_MB = 700;
const FIRST_FRAME_MS = 500;

/**
 * `npm run bench -- render [a b c d e f] [--rounds N]`: the parts of the engine's promise that concern the picture. The clips are made on
 * the first run and kept in the temporary folder.
 */
export async function run(args: readonly string[]): Promise<void> {
  const rounds = args.includes('--rounds') ? Number(args[args.indexOf('--rounds') + 1]) : ROUNDS;
  const parts = args.filter((arg) => /^[abcdef]$/.test(arg));
  const wanted = new Set(parts.length === 0 ? ['a', 'b', 'c', 'd', 'e', 'f'] : parts);
  const rows: Record<string, string | number>[] = [];

  const comparisons = COMPARISONS.filter(({ part }) => wanted.has(part));
  const needed = new Set(comparisons.flatMap(({ of, to }) => [to, of]));
  if (wanted.has('c')) needed.add('full');
  const modes = IN_TURN.filter((mode) => needed.has(mode));
  for (const mode of modes) await measure(mode, true);
  const measured = new Map<string, Measured[]>();
  for (let round = 0; round < rounds; round += 1) {
    for (const mode of round % 2 === 0 ? modes : modes.toReversed()) {
      const result = await measure(mode);
      console.error(
        `${mode}: ${(result.wallMs / 1000).toFixed(1)} s, CPU ${(result.cpuMs / 1000).toFixed(1)} s, ${result.peakMb.toFixed(0)} MB`,
      );
      measured.set(mode, [...(measured.get(mode) ?? []), result]);
    }
  }
  for (const { part, what, of, to, figure, atMost } of comparisons) {
    const ratio = median(measured.get(of)!.map((each, round) => figure(each) / figure(measured.get(to)![round]!)));
    // Where neighbours slow the machine down by fits, the fastest run of each is the one they left alone.
    const fastest = (mode: string) => Math.min(...measured.get(mode)!.map(figure));
    const least = (fastest(of) / fastest(to)).toFixed(3);
    rows.push({ part, what, measured: ratio.toFixed(3), 'of the fastest': least, 'at most': atMost });
  }
  if (wanted.has('c')) {
    const peak = median(measured.get('full')!.map(({ peakMb }) => peakMb));
    rows.push({ part: 'c', what: 'peak memory at 1080p, MB', measured: peak.toFixed(0), 'at most': PEAK_MB });
  }
  if (wanted.has('f')) {
    const starts: number[] = [];
    for (let round = 0; round < rounds; round += 1) starts.push(await firstFrameMs());
    const what = 'child start to first frame, ms';
    rows.push({ part: 'f', what, measured: median(starts).toFixed(0), 'at most': FIRST_FRAME_MS });
  }
  console.table(rows);
}

/** Runs a worker; with `prepare`, only makes its media. */
async function measure(mode: string, prepare = false): Promise<Measured> {
  const worker = join(import.meta.dirname, 'render', 'worker.ts');
  const child = spawn(process.execPath, [...CHILD_FLAGS, worker, mode, ...(prepare ? ['prepare'] : [])], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // As in the jailed child.
    env: { ...process.env, ...CHILD_MEMORY },
  });
  const output = await Array.fromAsync(child.stdout.setEncoding('utf8'));
  const text = output.join('');
  if (text === '') throw new Error(`the worker for ${mode} failed`);
  return JSON.parse(text) as Measured;
}

/** From the launch of the jailed child to its first encoded frame of the 1080p video. */
async function firstFrameMs(): Promise<number> {
  const { plan, files } = await minuteInHd();
  const workDir = await mkdtemp(join(tmpdir(), 'tiercut-bench-child-'));
  const stop = new AbortController();
  const started = performance.now();
  try {
    const inputs = [...files.values()];
    const limits = childLimits(60);
    await using child = await launchRenderChild({ mode: 'auto', inputs, workDir, limits });
    const job = { range: plan.chunks[0]!, out: join(workDir, '0.mp4') };
    return await new Promise<number>((resolve, reject) => {
      const presets = [{ plan, files: [...files], jobs: [job] }];
      const params = { presets, limits: DEFAULT_MEDIA_LIMITS };
      const onProgress = () => resolve(performance.now() - started);
      child.request('render_chunks', params, { onProgress, signal: stop.signal }).catch(reject);
    });
  } finally {
    stop.abort(new Error('seen enough'));
    await rm(workDir, { recursive: true, force: true });
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
