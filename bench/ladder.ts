import { cpus } from 'node:os';
import { type Candidate, encode } from './ladder/candidate.ts';
import { type Likeness, likeness } from './ladder/likeness.ts';
import { compose, type Material } from './ladder/material.ts';
import { footage, minuteInHd, minuteOfBoard, minuteOfClips } from './render/timelines.ts';

/** The reference of the comparison, at the CRF of `balanced`; the tuned `balanced` is among the others. */
const TODAY: Candidate = { preset: 'veryfast' };
const TODAYS_CRF = 21;
const CRFS = [18, 21, 24, 28];

const CANDIDATES: readonly Candidate[] = [
  { preset: 'ultrafast' },
  { preset: 'superfast' },
  { preset: 'superfast', params: 'mbtree=1:rc-lookahead=10' },
  TODAY,
  { preset: 'veryfast', params: 'aq-mode=2' },
  { preset: 'veryfast', params: 'aq-mode=3' },
  { preset: 'veryfast', params: 'aq-strength=0.7' },
  { preset: 'veryfast', params: 'partitions=i4x4,i8x8' },
  { preset: 'veryfast', params: 'me=dia' },
  { preset: 'veryfast', params: 'rc-lookahead=5' },
  { preset: 'veryfast', params: 'aq-mode=2:partitions=i4x4,i8x8' },
  { preset: 'veryfast', params: 'aq-mode=2:partitions=i4x4,i8x8:me=dia' },
  { preset: 'veryfast', params: 'subme=1' },
  { preset: 'veryfast', params: 'subme=4' },
  { preset: 'veryfast', params: 'trellis=1' },
  { preset: 'veryfast', params: 'rc-lookahead=20' },
  { preset: 'veryfast', params: 'weightp=0' },
  { preset: 'veryfast', params: 'psy=0' },
  { preset: 'veryfast', params: 'bframes=5:b-adapt=1' },
  { preset: 'veryfast', tune: 'animation' },
  { preset: 'veryfast', tune: 'stillimage' },
  { preset: 'veryfast', tune: 'film' },
  { preset: 'veryfast', tune: 'grain' },
  { preset: 'faster' },
  { preset: 'fast' },
  { preset: 'medium' },
  { preset: 'slow' },
];

interface Point extends Likeness {
  readonly crf: number;
  readonly cpuMs: number;
  readonly bytes: number;
}

/**
 * `npm run bench -- ladder [FOOTAGE.mp4 …]`: the cost of each encoder setting for the same quality, on a board, on
 * clips with grain, on both together, and on the given films. Prints bytes and CPU at the SSIM and the XPSNR of
 * `balanced`.
 */
export async function run(args: readonly string[]): Promise<void> {
  console.log(`${cpus().length} cores; 1 is x264 ${TODAY.preset} at CRF ${TODAYS_CRF}\n`);
  for (const make of materials(args)) await table(await make());
}

function materials(files: readonly string[]): (() => Promise<Material>)[] {
  return [
    async () => compose('a board, two spotlights and subtitles', await minuteOfBoard(), { start: 60, end: 270 }),
    async () => compose('clips with grain', await minuteOfClips(), { start: 0, end: 90 }),
    async () => compose('a board over clips', await minuteInHd(), { start: 150, end: 240 }),
    ...files.map((file) => async () => {
      const render = await footage(file);
      return compose(file.replace(/.*\//, ''), render, { start: 0, end: Math.min(90, render.plan.totalFrames) });
    }),
  ];
}

async function table(material: Material): Promise<void> {
  const shown = material.pictures.reduce((sum, { frames }) => sum + frames, 0);
  console.log(`\n### ${material.name}: ${shown} frames, ${material.pictures.length} pictures\n`);
  const today = await curve(material, TODAY);
  const goal = today.find(({ crf }) => crf === TODAYS_CRF)!;
  console.log(
    `CRF ${TODAYS_CRF}: SSIM ${goal.ssim.toFixed(5)}, XPSNR ${goal.xpsnr.toFixed(2)} dB, ${goal.bytes} bytes, ${Math.round(goal.cpuMs)} ms of CPU\n`,
  );
  console.log(
    '| settings | CPU at the same CRF | bytes at the same SSIM | CPU there | bytes at the same XPSNR | CPU there |\n|---|---|---|---|---|---|',
  );
  for (const candidate of CANDIDATES) {
    const points = candidate === TODAY ? today : await curve(material, candidate);
    const same = points.find(({ crf }) => crf === TODAYS_CRF)!;
    const cells = [same.cpuMs / goal.cpuMs];
    for (const measure of ['ssim', 'xpsnr'] as const) {
      cells.push(Math.exp(at(points, measure, goal[measure], ({ bytes }) => Math.log(bytes))) / goal.bytes);
      cells.push(at(points, measure, goal[measure], ({ cpuMs }) => cpuMs) / goal.cpuMs);
    }
    const { preset, tune, params } = candidate;
    const name = [preset, tune && `tune ${tune}`, params].filter(Boolean).join(', ');
    console.log(`| ${name} | ${cells.map((cell) => cell.toFixed(2)).join(' | ')} |`);
  }
}

/** Each point is the cheaper of two runs: other work on the machine only adds cost. */
async function curve(material: Material, candidate: Candidate): Promise<Point[]> {
  const points: Point[] = [];
  for (const crf of CRFS) {
    const encoded = await encode(material, candidate, crf);
    const again = await encode(material, candidate, crf);
    points.push({
      crf,
      bytes: encoded.bytes,
      cpuMs: Math.min(encoded.cpuMs, again.cpuMs),
      ...(await likeness(material, encoded)),
    });
    for (const packet of [...encoded.packets, ...again.packets]) packet.free();
  }
  return points;
}

/** Between two measured points, or beyond the last two, along a straight line. */
function at(points: readonly Point[], measure: keyof Likeness, goal: number, value: (point: Point) => number): number {
  const sorted = points.toSorted((a, b) => a[measure] - b[measure]);
  const above = Math.min(
    Math.max(
      1,
      sorted.findIndex((point) => point[measure] >= goal),
    ),
    sorted.length - 1,
  );
  const index = sorted.some((point) => point[measure] >= goal) ? above : sorted.length - 1;
  const [low, high] = [sorted[index - 1]!, sorted[index]!];
  const share = (goal - low[measure]) / (high[measure] - low[measure]);
  return value(low) + share * (value(high) - value(low));
}
