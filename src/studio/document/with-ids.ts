import { freeId } from '../../timeline/free-id.ts';
import { LANE_NAMES } from '../../timeline/lanes.ts';
import type { TimelineData } from './project.ts';

/** Adds an `id` to every entry that has none, so that a selection survives moves. */
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
