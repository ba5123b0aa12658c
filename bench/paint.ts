import { parseArgs } from 'node:util';
import { SkiaPainter } from '../src/paint/skia/skia-painter.ts';
import type { BoardEvent } from '../src/plan/model/board-scene.ts';
import type { Painting } from '../src/plan/model/painter.ts';
import type { RenderPlan } from '../src/plan/model/render-plan.ts';
import { plainTheme } from '../src/plan/place/plan-theme.ts';
import { frames } from '../src/time.ts';
import { THEMES } from '../src/timeline/choices.ts';
import { SamplePictures } from '../test/paint/sample-pictures.ts';
import { samplePlan, sampleScene, sampleSubtitle } from '../test/paint/sample-plan.ts';

const CANVAS = { width: 1280, height: 960 };
const WINDOW = { x: 64, y: 48, width: 1152, height: 864 };
const FULL_HD = { width: 1920, height: 1080 };
const LARGE_WINDOW = { x: 96, y: 54, width: 1728, height: 972 };
const TEXT = 'And that is why this one goes all the way up to the top of the list';

/**
 * `npm run bench -- paint [--rounds N] [themes]`: what painting costs, pixels read back, as medians; with `themes` only
 * reveals, in every theme. The guidance is for two cores.
 */
export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { rounds: { type: 'string', default: '15' } },
    allowPositionals: true,
  });
  const rounds = Number(values.rounds);
  using pictures = new SamplePictures(12);
  if (positionals.includes('themes')) {
    print(await reveals(rounds, pictures));
    return;
  }
  const create = (plan: RenderPlan) => SkiaPainter.create({ plan, files: pictures.files });

  const plan = boardOf('pop');
  const rows: Row[] = [];
  rows.push(['painter made, 12 pictures decoded', await cost(rounds, () => create(plan)), null]);
  const fresh = await Promise.all(Array.from({ length: rounds }, () => create(plan)));
  rows.push([
    'still board, 60 items, 1152×864',
    await cost(rounds, (i) => fresh[i]!.paint('board', plan.painted.board[0]!, frames(0))),
    30,
  ]);
  rows.push([
    'the next still board',
    await cost(rounds, (i) => fresh[i]!.paint('board', plan.painted.board[0]!, frames(2000))),
    30,
  ]);
  for (const style of ['pop', 'spotlight', 'slam', 'move'] as const) {
    const moving = boardOf(style, FULL_HD, LARGE_WINDOW);
    rows.push([`a frame of a ${style}, 1728×972`, await costOfFrames(rounds, moving, () => create(moving)), 10]);
  }
  const fading = boardOf('pop');
  const window = { ...fading.painted.board[0]!, enter: { kind: 'fade', frames: frames(100) } } as const;
  const fader = await create(fading);
  rows.push([
    'one frame of a fading board',
    await cost(rounds, (round) => fader.paint('board', window, frames(round))),
    10,
  ]);
  const subtitles = Array.from({ length: rounds + 1 }, (_, i) =>
    sampleSubtitle(`${TEXT} (${i})`, { width: 1920, height: 1080 }),
  );
  const texts = await create(samplePlan({ width: 1920, height: 1080 }, null, subtitles));
  texts.paint('subtitle', subtitles[rounds]!, frames(0));
  rows.push(['a subtitle', await cost(rounds, (round) => texts.paint('subtitle', subtitles[round]!, frames(0))), 4]);

  print(rows);
}

type Row = readonly [what: string, cost: Cost, guidanceMs: number | null];

/** Every frame of a reveal, in every theme: none may take longer than 10 ms. (R37) */
async function reveals(rounds: number, pictures: SamplePictures): Promise<Row[]> {
  const rows: Row[] = [];
  for (const style of ['spotlight', 'pop', 'slam'] as const) {
    for (const theme of THEMES) {
      for (const [names, load] of [
        ['below', MANY],
        ['beside', FEW],
      ] as const) {
        const plan = { ...boardOf(style, FULL_HD, LARGE_WINDOW, load), theme: plainTheme(theme) };
        const cost = await costOfFrames(rounds, plan, () => SkiaPainter.create({ plan, files: pictures.files }));
        rows.push([`a ${style}, ${theme}, names ${names}`, cost, 10]);
      }
    }
  }
  return rows;
}

/** The items in each row: with names below their pictures, or beside them. */
const MANY = [8, 12, 10, 14, 7, 5, 4];
const FEW = [2, 3, 3, 2, 1, 1];

function boardOf(
  style: BoardEvent['style'],
  canvas = CANVAS,
  window = WINDOW,
  rows: readonly number[] = MANY,
): RenderPlan {
  const event = { item: 5, at: frames(100), style, to: style === 'move' ? { row: 4, index: 2 } : null };
  return samplePlan(canvas, sampleScene(rows, { reveals: [event] }), [], window);
}

function print(rows: readonly Row[]): void {
  console.log(`${''.padEnd(36)}    wall      CPU    most CPU   guidance`);
  for (const [what, { wallMs, cpuMs, maxMs }, guidanceMs] of rows) {
    const columns = [wallMs, cpuMs, maxMs].map((ms) => `${ms.toFixed(1).padStart(6)} ms`);
    console.log(`${what.padEnd(36)} ${columns.join(' ')}   ${guidanceMs === null ? '' : `${guidanceMs} ms`}`);
  }
}

interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** The longest, in CPU time. */
  readonly maxMs: number;
}

/**
 * Every frame of a motion, at 30 a second, except those at rest. Several painters paint each, and the least CPU
 * time counts: so the maximum is not caused by other work on the machine.
 */
async function costOfFrames(rounds: number, plan: RenderPlan, create: () => Promise<SkiaPainter>): Promise<Cost> {
  const { at, end } = plan.board!.events[0]!;
  const probe = await create();
  let last: unknown = null;
  const all = Array.from({ length: end - at }, (_, frame) => frames(at + frame));
  const moving = all.filter((n) => {
    const painting = probe.paint('board', plan.painted.board[0]!, n);
    const moves = painting !== last;
    last = painting;
    return moves;
  });
  const count = moving.length;
  const quickest = Array<Omit<Cost, 'maxMs'>>(count).fill({ wallMs: 0, cpuMs: Number.POSITIVE_INFINITY });
  for (let round = 0; round < Math.min(rounds, 5); round += 1) {
    const painter = await create();
    painter.paint('board', plan.painted.board[0]!, frames(0));
    // As the engine does.
    let before: Painting | null = null;
    for (const n of all) {
      const frame = moving.indexOf(n);
      const painted: (Painting | null)[] = [];
      const { wallMs, cpuMs } = await cost(1, () => painted.push(painter.paint('board', plan.painted.board[0]!, n)));
      // What rests is painted as the engine asks for it: the painter draws ahead meanwhile.
      if (frame < 0) continue;
      before?.release?.();
      before = painted[0] ?? null;
      if (cpuMs < quickest[frame]!.cpuMs) quickest[frame] = { wallMs, cpuMs };
    }
  }
  const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(count / 2)]!;
  const cpu = quickest.map(({ cpuMs }) => cpuMs);
  return { wallMs: median(quickest.map(({ wallMs }) => wallMs)), cpuMs: median(cpu), maxMs: Math.max(...cpu) };
}

/**
 * Medians, and the maximum; on a busy machine CPU time is more meaningful than wall time. The event loop turns between
 * rounds.
 */
async function cost(rounds: number, work: (round: number) => unknown): Promise<Cost> {
  const wall: number[] = [];
  const cpu: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await new Promise((turned) => setImmediate(turned));
    const [start, used] = [performance.now(), process.cpuUsage()];
    await work(round);
    const { user, system } = process.cpuUsage(used);
    wall.push(performance.now() - start);
    cpu.push((user + system) / 1000);
  }
  const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(rounds / 2)]!;
  return { wallMs: median(wall), cpuMs: median(cpu), maxMs: Math.max(...cpu) };
}
