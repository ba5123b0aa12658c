import { LANE_NAMES } from '../../timeline/lanes.ts';
import type { TimelineData } from './project.ts';

/** The lanes with an `id` on every entry, so that a selection outlives moves; ids that are there stay. */
export function withIds(
  lanes: { readonly [lane in keyof TimelineData]?: readonly { readonly id?: string | undefined }[] },
) {
  const entries = LANE_NAMES.map((lane) => {
    const sent = lanes[lane] ?? [];
    const taken = new Set(sent.flatMap(({ id }) => (id === undefined ? [] : [id])));
    return [lane, sent.map((entry) => (entry.id === undefined ? { ...entry, id: freeId(lane, taken) } : entry))];
  });
  return Object.fromEntries(entries) as TimelineData;
}

/** `base`, or `base-2`, `base-3` …: the first that is free; it is taken then. */
export function freeId(base: string, taken: Set<string>): string {
  let id = base;
  for (let n = 2; taken.has(id); n += 1) id = `${base}-${n}`;
  taken.add(id);
  return id;
}
