import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { TiercutClient } from '../packages/client/src/client.ts';
import { reached } from '../test/service/export-client.ts';
import { cpuSeconds } from '../test/service/process-tree.ts';
import { ServiceFixture } from '../test/service/service-fixture.ts';

const ITEMS = 8;
const LONGEST_SECONDS = 4 * 3600;

/** A ranking of a minute with an opening card. Only the card has the title of the row; `{{look}}` is on the board throughout. */
const TEMPLATE = {
  tier_list: {
    title: '{{look}}',
    rows: ['S', 'A', 'B'].map((label, row) => ({
      ...{ id: label, label },
      item_ids: Array.from({ length: ITEMS }, (_, n) => `i${n}`).filter((_, n) => n % 3 === row),
    })),
    items: Array.from({ length: ITEMS }, (_, n) => ({ id: `i${n}`, name: `Item ${n}` })),
  },
  timeline_data: {
    titles: [{ text: '{{title}}', start: 0, duration: 2 }],
    tier_blocks: [{ start: 2, duration: 58 }],
    tier_tiles: Array.from({ length: ITEMS }, (_, n) => ({ tier_item_id: `i${n}`, position: 4 + 7 * n })),
  },
  settings: { quality: 'balanced' },
  fields: {
    title: { type: 'text', required: true },
    look: { type: 'text', required: true },
  },
} as const;

/**
 * `npm run bench -- batch [--rows 100]`: processor time of a batch whose rows differ in the title only, and of as many
 * exports that share nothing, each on a service of its own. The first may cost at most 0.35 of the second.
 */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { rows: { type: 'string', default: '100' } } });
  const rows = Array.from({ length: Number(values.rows) }, (_, n) => n);
  const apart = await costOf(rows.map((n) => ({ title: `Week ${n}`, look: `Look ${n}` })));
  const together = await costOf(rows.map((n) => ({ title: `Week ${n}`, look: 'One look' })));
  console.log(`${rows.length} exports that share nothing: ${apart.toFixed(1)} s of processor time`);
  console.log(
    `${rows.length} rows that differ in the title: ${together.toFixed(1)} s, ${(together / apart).toFixed(3)} of it`,
  );
}

async function costOf(rows: readonly Readonly<Record<string, string>>[]): Promise<number> {
  await using service = await ServiceFixture.start({ TIERCUT_LOG_LEVEL: 'warn', TIERCUT_RENDERS_AT_ONCE: '1' });
  const client = new TiercutClient({ url: service.base });
  const project = randomUUID();
  await client.projects.save(project, TEMPLATE);
  const before = cpuSeconds(service.pid);
  const { batch_id } = await client.batches.create({ project, rows, presets: ['landscape'] });
  const isOver = async () => (await client.batches.get(batch_id)).state === 'completed';
  await reached('the end of the batch', isOver, LONGEST_SECONDS);
  const { counts } = await client.batches.get(batch_id);
  if (counts.completed !== rows.length) throw new Error(`not all rows were made: ${JSON.stringify(counts)}`);
  return cpuSeconds(service.pid) - before;
}
