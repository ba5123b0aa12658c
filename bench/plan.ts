import type { MediaFacts } from '../src/plan/model/media-facts.ts';
import { planRender } from '../src/plan/plan-render.ts';
import { sha256 } from '../src/platform/sha256.ts';
import { DEFAULT_TIMELINE_LIMITS } from '../src/timeline/limits.ts';
import { parseRequest } from '../src/timeline/parse/parse-request.ts';
import { DEFAULT_PRESETS } from '../src/timeline/presets.ts';

const ROUNDS = 15;
const FACTS: MediaFacts = {
  hash: '0'.repeat(64),
  kind: 'video',
  duration: 60,
  width: 1920,
  height: 1080,
  alpha: false,
  sound: true,
};

/** Parsing and planning of full lanes, against the same with a tenth of the entries: the ratio shows the growth. */
export async function run(): Promise<void> {
  const [small, large] = [documents(200), documents(2000)];
  const rows: Record<string, { 'parse ms': string; 'plan ms': string }> = {};
  for (const [name, sent] of [
    ['200 entries a lane', small],
    ['2,000 entries a lane', large],
  ] as const) {
    const facts = new Map(['a', 'b', 'm'].map((field) => [field, FACTS]));
    const uploads = new Set(facts.keys());
    const options = { limits: DEFAULT_TIMELINE_LIMITS, presets: DEFAULT_PRESETS, uploads };
    const parsing: number[] = [];
    const planning: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const started = performance.now();
      const request = parseRequest(sent, options);
      const parsed = performance.now();
      planRender(request, {
        facts,
        preset: DEFAULT_PRESETS[0],
        limits: DEFAULT_TIMELINE_LIMITS,
        engineVersion: 'bench',
        sha256,
      });
      parsing.push(parsed - started);
      planning.push(performance.now() - parsed);
    }
    rows[name] = { 'parse ms': median(parsing), 'plan ms': median(planning) };
  }
  console.table(rows);
}

function documents(entries: number) {
  const many = <T>(make: (i: number) => T) => Array.from({ length: entries }, (_, i) => make(i));
  const items = Array.from({ length: 500 }, (_, i) => ({ id: `i${i}`, name: `Item ${i}` }));
  return {
    tier_list: { title: 'Bench', rows: [{ id: 'r', item_ids: items.slice(0, 250).map(({ id }) => id) }], items },
    timeline_data: {
      videos: many((i) => ({ file_field: 'a', start: i * 7, duration: 7 })),
      audios: many((i) => ({ file_field: 'b', start: i * 7, duration: 6 })),
      soundtracks: many((i) => ({ file_field: 'm', start: i * 7, duration: 7 })),
      tier_blocks: many((i) => ({ start: i * 7 + 1, duration: 5 })),
      tier_tiles: items.map(({ id }, i) => ({ tier_item_id: id, position: i * 28 + 2 })),
      subtitles: many((i) => ({ text: `line ${i}`, start: i * 7 + 0.5, duration: 3 })),
    },
  };
}

function median(values: number[]): string {
  return values.sort((a, b) => a - b)[values.length >> 1]!.toFixed(1);
}
