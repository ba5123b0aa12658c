import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { TiercutClient } from '../packages/client/src/client.ts';
import { reached } from '../test/service/export-client.ts';
import { cpuSeconds, descendantsOf, residentBytes } from '../test/service/process-tree.ts';
import { ServiceFixture } from '../test/service/service-fixture.ts';

const ITEMS = 8;
const LONGEST_SECONDS = 4 * 3600;

/** A ranking with an opening card. Only the card has the title of the row; `{{look}}` is on the board throughout. */
function template(seconds: number) {
  const card = Math.min(2, seconds / 3);
  const step = (seconds - card) / (ITEMS + 0.3);
  return {
    tier_list: {
      title: '{{look}}',
      rows: ['S', 'A', 'B'].map((label, row) => ({
        ...{ id: label, label },
        item_ids: Array.from({ length: ITEMS }, (_, n) => `i${n}`).filter((_, n) => n % 3 === row),
      })),
      items: Array.from({ length: ITEMS }, (_, n) => ({ id: `i${n}`, name: `Item ${n}` })),
    },
    timeline_data: {
      titles: [{ text: '{{title}}', start: 0, duration: card }],
      tier_blocks: [{ start: card, duration: seconds - card }],
      tier_tiles: Array.from({ length: ITEMS }, (_, n) => ({
        tier_item_id: `i${n}`,
        position: card + (n + 0.3) * step,
      })),
    },
    settings: { quality: 'balanced' },
    fields: {
      title: { type: 'text', required: true },
      look: { type: 'text', required: true },
    },
  } as const;
}

const MANY = 10_000;
/** How long a batch that waits is looked at. */
const WAITS_MS = 10_000;

/**
 * `npm run bench -- batch [--rows 100] [--apart 100] [--height 1080] [--seconds 60]`: processor time of a batch whose rows
 * differ in the title only, and of exports that share nothing, each on a service of its own; then what a batch of 10,000
 * rows takes to be accepted, and while it waits. The goals are 0.35 of the time of as many exports, 5 s and 50 MB.
 * `--apart 30` makes fewer of the exports that share nothing, each of which costs the same. Videos of 3 s share no picture:
 * they are one chunk, which has the title.
 */
export async function run(args: readonly string[]): Promise<void> {
  const options = {
    rows: { type: 'string', default: '100' },
    apart: { type: 'string' },
    height: { type: 'string', default: '1080' },
    seconds: { type: 'string', default: '60' },
  } as const;
  const { values } = parseArgs({ args: [...args], options });
  const numbers = (count: string) => Array.from({ length: Number(count) }, (_, n) => n);
  const rows = numbers(values.rows);
  const others = numbers(values.apart ?? values.rows);
  const video = { height: Number(values.height), seconds: Number(values.seconds) };
  const apart = await costOf(
    others.map((n) => ({ title: `Week ${n}`, look: `Look ${n}` })),
    video,
  );
  const together = await costOf(
    rows.map((n) => ({ title: `Week ${n}`, look: 'One look' })),
    video,
  );
  const what = `of ${video.seconds} s and ${video.height} lines`;
  console.log(`${others.length} exports ${what} that share nothing: ${shown(apart)}`);
  const share = together.cpu / rows.length / (apart.cpu / others.length);
  console.log(
    `${rows.length} rows that differ in the title: ${shown(together)}, ${share.toFixed(3)} of as many exports`,
  );
  await accept();
}

/** Seconds of processor time of the service and its children, and of the clock. */
interface Cost {
  readonly cpu: number;
  readonly wall: number;
}

function shown({ cpu, wall }: Cost): string {
  return `${cpu.toFixed(1)} s of processor time in ${wall.toFixed(1)} s`;
}

interface Video {
  readonly height: number;
  readonly seconds: number;
}

async function costOf(rows: readonly Readonly<Record<string, string>>[], { height, seconds }: Video): Promise<Cost> {
  await using service = await started(height);
  const client = new TiercutClient({ url: service.base });
  const project = randomUUID();
  await client.projects.save(project, template(seconds));
  const [before, begun] = [cpuSeconds(service.pid), performance.now()];
  const { batch_id } = await client.batches.create({ project, rows, presets: ['landscape'] });
  const isOver = async () => (await client.batches.get(batch_id)).state === 'completed';
  await reached('the end of the batch', isOver, LONGEST_SECONDS);
  const { counts } = await client.batches.get(batch_id);
  if (counts.completed !== rows.length) throw new Error(`not all rows were made: ${JSON.stringify(counts)}`);
  return { cpu: cpuSeconds(service.pid) - before, wall: (performance.now() - begun) / 1000 };
}

/** Of the service alone: what its first exports take is not counted. */
async function accept(): Promise<void> {
  await using service = await started(72);
  const client = new TiercutClient({ url: service.base });
  const project = randomUUID();
  await client.projects.save(project, template(60));
  const held = () => residentBytes(service.pid) / 2 ** 20;
  const [beforeSeconds, beforeMb] = [ownSeconds(service.pid), held()];
  const rows = Array.from({ length: MANY }, (_, n) => ({ title: `Week ${n}`, look: 'One look' }));
  await client.batches.create({ project, rows, presets: ['landscape'] });
  const took = ownSeconds(service.pid) - beforeSeconds;
  const atOnce = held() - beforeMb;
  await delay(WAITS_MS);
  const added = `${atOnce.toFixed(0)} MB more at once, ${(held() - beforeMb).toFixed(0)} MB after ${WAITS_MS / 1000} s`;
  console.log(`a batch of ${MANY} rows: accepted in ${took.toFixed(2)} s of processor time, ${added}`);
}

function ownSeconds(pid: number): number {
  return cpuSeconds(pid) - descendantsOf(pid).reduce((sum, child) => sum + cpuSeconds(child), 0);
}

function started(height: number): Promise<ServiceFixture> {
  const [long, short] = [Math.round((height * 16) / 18) * 2, height];
  const presets = [
    { name: 'preset_one', width: long, height: short, aliases: ['landscape'] },
    { name: 'preset_two', width: short, height: long, aliases: ['portrait'] },
    { name: 'preset_three', width: short, height: short, aliases: ['square'] },
  ];
  return ServiceFixture.start({
    TIERCUT_LOG_LEVEL: 'warn',
    TIERCUT_RENDERS_AT_ONCE: '1',
    TIERCUT_PRESETS: JSON.stringify(presets),
  });
}
