import type { FramePlan } from '../../plan/frame-plan.ts';
import type { Planner } from '../submit/planner.ts';

/** A board, a card and a subtitle: the parts that take time to load. */
const TEXTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    tier_list: { title: 'Aa', rows: [{ id: 'S', item_ids: ['1'] }], items: [{ id: '1', name: 'Aa' }] },
    timeline_data: {
      tier_blocks: [{ start: 0, duration: 1 }],
      tier_tiles: [{ tier_item_id: '1', position: 0 }],
      subtitles: [{ text: 'Aa', start: 0, duration: 1 }],
    },
    settings: { width: 320, height: 180 },
  }).map(([name, document]) => [name, JSON.stringify(document)]),
).set('frame', '3');

/** The warm-up frame of new children; planned once. */
export function warmUpFrame(planner: Pick<Planner, 'frame'>): () => Promise<FramePlan> {
  let planned: Promise<FramePlan> | null = null;
  const request = { texts: TEXTS, uploads: [], found: new Map() };
  return () => {
    planned ??= planner.frame('', request, new AbortController().signal);
    planned.catch(() => {
      planned = null;
    });
    return planned;
  };
}
