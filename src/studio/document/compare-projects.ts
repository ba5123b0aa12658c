import { LANE_NAMES } from '../../timeline/lanes.ts';
import type { Project } from './project.ts';

/** A part of a project that differs between two versions. */
interface Difference {
  readonly part: 'title' | 'rows' | 'items' | 'entries' | 'settings' | 'files';
  /** How many entries were added, removed or changed. */
  readonly count: number;
}

/** The differences between two versions of a project, part by part; equal parts are left out. */
export function compareProjects(one: Project, other: Project): readonly Difference[] {
  const entries = LANE_NAMES.map((lane) => differing(byId(one.timeline_data[lane]), byId(other.timeline_data[lane])));
  const counts = {
    title: one.tier_list.title === other.tier_list.title ? 0 : 1,
    rows: differing(byId(one.tier_list.rows), byId(other.tier_list.rows)),
    items: differing(byId(one.tier_list.items), byId(other.tier_list.items)),
    entries: entries.reduce((sum, count) => sum + count, 0),
    settings: differing(one.settings, other.settings),
    files: differing(one.media, other.media),
  };
  return (Object.keys(counts) as (keyof typeof counts)[])
    .map((part) => ({ part, count: counts[part] }))
    .filter(({ count }) => count > 0);
}

function byId(list: readonly { readonly id?: string | undefined }[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(list.map((entry, index) => [entry.id ?? String(index), entry]));
}

function differing(one: object, other: object): number {
  const [mine, theirs] = [one, other].map((each) => new Map(Object.entries(each)));
  const keys = new Set([...mine!.keys(), ...theirs!.keys()]);
  return [...keys].filter((key) => !isEqual(mine!.get(key), theirs!.get(key))).length;
}

function isEqual(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  return differing(one, other) === 0;
}
