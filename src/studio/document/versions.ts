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
