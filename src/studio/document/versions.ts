import { LANE_NAMES } from '../../timeline/lanes.ts';
import type { Project } from './project.ts';

/** The project at one time. */
export interface Version {
  readonly atMs: number;
  readonly project: Project;
}

export const MAX_VERSIONS = 20;
/** A save within this time of the newest version replaces it. */
const SAME_BOUT_MS = 60_000;

/**
 * The versions after a save, oldest first: at most one a minute, at most twenty. A replaced version keeps its time, so that continuous
 * work makes a version a minute and not just one.
 */
export function withVersion(versions: readonly Version[], project: Project, nowMs: number): readonly Version[] {
  const newest = versions.at(-1);
  if (newest?.project === project) return versions;
  if (newest !== undefined && nowMs - newest.atMs < SAME_BOUT_MS) {
    return [...versions.slice(0, -1), { atMs: newest.atMs, project }];
  }
  return [...versions, { atMs: nowMs, project }].slice(-MAX_VERSIONS);
}

/**
 * The project with the rows of another one's table where they are equal: saved together, each of them is stored once. A table may have
 * 10,000 rows, and there are twenty versions.
 */
export function sharingRows(project: Project, other: Project | undefined): Project {
  const { table } = project.studio;
  const known = new Map(other?.studio.table?.rows.map((row) => [row.id, row]));
  if (table === undefined || known.size === 0) return project;
  const rows = table.rows.map((row) => {
    const before = known.get(row.id);
    return before !== undefined && isEqual(before, row) ? before : row;
  });
  return { ...project, studio: { ...project.studio, table: { ...table, rows } } };
}

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
