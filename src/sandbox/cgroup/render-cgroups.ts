import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CgroupFinding, type CgroupHome, type CgroupSetting, findCgroups } from './cgroup-home.ts';
import { type CgroupBounds, RenderCgroup } from './render-cgroup.ts';

/** The subgroup of a delegated group for the service itself: a group with controllers may contain no process. */
const OWN_PART = 'service';
/** A process that is moved may have just started another, which is still in the old group. */
const MAX_MOVES = 5;

/** Gives each render its own cgroup, in which the kernel bounds its memory and its threads. */
export class RenderCgroups {
  /** Where they are made, or why they are not. */
  readonly detail: string;
  readonly #homes: readonly CgroupHome[];
  #count = 0;

  /**
   * Prepares the delegated group, and removes the groups of renders of a dead service. `detail` reports failures:
   * renders are limited without it too, less closely.
   */
  static open(setting: CgroupSetting, finding: CgroupFinding = findCgroups(setting)): RenderCgroups {
    try {
      for (const home of finding.homes) {
        sweep(home);
        if (home.version === 2) enable(home);
      }
      return new RenderCgroups(finding);
    } catch (error) {
      return new RenderCgroups({ homes: [], detail: `no cgroup of its own (${String(error)})` });
    }
  }

  private constructor({ homes, detail }: CgroupFinding) {
    this.#homes = homes;
    this.detail = detail;
  }

  /** Puts a process into its own group; null if groups are not available. */
  add(pid: number, bounds: CgroupBounds): RenderCgroup | null {
    if (this.#homes.length === 0) return null;
    return RenderCgroup.make(this.#homes, nameOf(this.#count++), pid, bounds);
  }
}

function nameOf(count: number): string {
  return `render-${process.pid}-${count}`;
}

/** Lets the groups inside have controllers. */
function enable({ folder, controllers }: CgroupHome): void {
  const enabled = readFileSync(join(folder, 'cgroup.subtree_control'), 'utf8').trim().split(' ');
  const missing = controllers.filter((name) => !enabled.includes(name));
  if (missing.length === 0) return;
  moveInside(folder);
  writeFileSync(join(folder, 'cgroup.subtree_control'), missing.map((name) => `+${name}`).join(' '));
}

/** Everything in a delegated group is this service and its parent processes. */
function moveInside(folder: string): void {
  for (let moves = 0; moves < MAX_MOVES; moves++) {
    const processes = readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean);
    if (processes.length === 0) return;
    const part = join(folder, OWN_PART);
    if (!existsSync(part)) mkdirSync(part);
    for (const pid of processes) {
      try {
        writeFileSync(join(part, 'cgroup.procs'), pid);
      } catch (error) {
        // It may have ended meanwhile.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
  }
}

/** No render of this process runs yet, so a group with its number belongs to an earlier process. */
function sweep({ folder, version }: CgroupHome): void {
  for (const name of readdirSync(folder)) {
    const [, pid] = /^render-(\d+)-\d+$/.exec(name) ?? [];
    if (pid === undefined || (Number(pid) !== process.pid && existsSync(`/proc/${pid}`))) continue;
    try {
      if (version === 2) writeFileSync(join(folder, name, 'cgroup.kill'), '1');
      rmdirSync(join(folder, name));
    } catch {
      // Still in use, or an older kernel: the next start tries again.
    }
  }
}
