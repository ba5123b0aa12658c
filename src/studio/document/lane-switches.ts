import { type Draft, freeze } from 'immer';
import { LANE_NAMES, LANES, type LaneName, lanesWhere } from '../../timeline/lanes.ts';
import { type Entry, withLane } from './entries.ts';
import { DRAWN_LANES } from './lane-looks.ts';
import type { LaneSwitch, LaneSwitches, Project, TimelineData } from './project.ts';

/** The key of a lane's switches: sounds of each role have their own. */
export function laneKey(lane: LaneName, role?: string | undefined): string {
  return role === undefined ? lane : `${lane}.${role}`;
}

export function isOn(switches: LaneSwitches | undefined, key: string, which: LaneSwitch): boolean {
  return switches?.[key]?.[which] === true;
}

export function switchLane({ studio }: Draft<Project>, key: string, which: LaneSwitch): void {
  studio.lanes ??= {};
  const { [which]: before, ...others } = studio.lanes[key] ?? {};
  studio.lanes[key] = before === true ? others : { ...others, [which]: true };
}

const SOUNDING = lanesWhere(({ hasSound }) => hasSound);
/** Whether a lane with entries is solo. An empty lane shows no switch, so it does not count. */
function hasSolo(switches: LaneSwitches, timeline: TimelineData): boolean {
  return SOUNDING.some((lane) =>
    (timeline[lane] as readonly Entry[]).some(({ role }) => isOn(switches, laneKey(lane, role), 'solo')),
  );
}

const silenced = new WeakMap<object, object>();

/** The entry with volume 0. Returns the same object each time. */
function silent(entry: Entry, field: 'volume' | 'sound_volume'): Entry {
  const made = silenced.get(entry) ?? { ...entry, [field]: 0 };
  silenced.set(entry, made);
  return made;
}

/**
 * The timeline as it is planned and sent. Muted entries have a volume of 0, so that the video keeps its length. If a lane is solo,
 * reveals are silent too.
 */
export function heardTimeline({ timeline_data, studio }: Pick<Project, 'timeline_data' | 'studio'>): TimelineData {
  const switches = studio.lanes;
  if (switches === undefined) return timeline_data;
  const isSolo = hasSolo(switches, timeline_data);
  const isHeard = (key: string) => !isOn(switches, key, 'muted') && (!isSolo || isOn(switches, key, 'solo'));
  const heard = SOUNDING.reduce((data, lane) => {
    const entries = data[lane] as readonly Entry[];
    const next = entries.map((each) => (isHeard(laneKey(lane, each.role)) ? each : silent(each, 'volume')));
    return next.every((each, i) => each === entries[i]) ? data : withLane(data, lane, next);
  }, timeline_data);
  if (!isSolo) return heard;
  return withLane(
    heard,
    'tier_tiles',
    (heard.tier_tiles as readonly Entry[]).map((tile) => silent(tile, 'sound_volume')),
  );
}

/** Whether an entry is protected from moves, cuts and removal. */
export function isLocked(switches: LaneSwitches | undefined, lane: LaneName, { role }: Entry): boolean {
  return isOn(switches, laneKey(lane, role), 'locked');
}

/** Reverts a change in every lane in which it would alter a locked entry. */
export function keepLocked(
  before: TimelineData,
  after: TimelineData,
  switches: LaneSwitches | undefined,
): TimelineData {
  if (switches === undefined) return after;
  return LANE_NAMES.reduce((data, lane) => {
    if (after[lane] === before[lane]) return data;
    const kept = new Set<object>(after[lane]);
    const isTouched = (before[lane] as readonly Entry[]).some(
      (entry) => isLocked(switches, lane, entry) && !kept.has(entry),
    );
    return isTouched ? withLane(data, lane, before[lane] as readonly Entry[]) : data;
  }, after);
}

/** The switches from a file; unknown ones are dropped. */
export function readSwitches(value: unknown): LaneSwitches | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const keys = LANE_NAMES.flatMap((lane) =>
    LANES[lane].hasSound ? [lane, laneKey(lane, 'voice'), laneKey(lane, 'music')] : [lane],
  );
  const found = keys.flatMap((key) => {
    const sent = (value as Record<string, unknown>)[key];
    const on = (['muted', 'solo', 'locked'] as const).filter((which) => isOn({ [key]: Object(sent) }, key, which));
    return on.length === 0 ? [] : [[key, Object.fromEntries(on.map((which) => [which, true]))]];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/**
 * Writes the changed lanes into a draft. New entries get ids.
 *
 * @param after contains no drafts, so it is frozen. Otherwise immer would search thousands of entries for drafts at every frame of a
 * drag.
 */
export function putLanes(draft: Record<string, unknown>, before: TimelineData, after: TimelineData): void {
  for (const lane of DRAWN_LANES)
    if (after[lane] !== before[lane]) draft[lane] = freeze(named(lane, after[lane]), true);
}

function named(lane: string, entries: readonly { readonly id?: string | undefined }[]): unknown[] {
  const taken = new Set(entries.map(({ id }) => id));
  let number = 1;
  return entries.map((entry) => {
    if (entry.id !== undefined) return entry;
    while (taken.has(`${lane}-${number}`)) number += 1;
    taken.add(`${lane}-${number}`);
    return { ...entry, id: `${lane}-${number}` };
  });
}
