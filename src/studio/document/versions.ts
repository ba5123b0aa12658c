import type { Project } from './project.ts';

/** The project as it was at a moment. */
export interface Version {
  readonly atMs: number;
  readonly project: Project;
}

export const MOST_VERSIONS = 20;
/** What is saved within this time of the newest version is part of the same bout of work, and replaces it. */
const SAME_BOUT_MS = 60_000;

/**
 * The versions after a save, oldest first: one for each minute in which something was changed, twenty at most. The bout's
 * first moment counts, so that steady work makes a version a minute and not one in all.
 */
export function withVersion(versions: readonly Version[], project: Project, nowMs: number): readonly Version[] {
  const newest = versions.at(-1);
  if (newest?.project === project) return versions;
  if (newest !== undefined && nowMs - newest.atMs < SAME_BOUT_MS) {
    return [...versions.slice(0, -1), { atMs: newest.atMs, project }];
  }
  return [...versions, { atMs: nowMs, project }].slice(-MOST_VERSIONS);
}
