import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CgroupHome } from './cgroup-home.ts';
import type { Controller } from './cgroup-mounts.ts';

/** The limits of a render, by the kernel's own count. */
export interface CgroupBounds {
  readonly memoryBytes: number;
  readonly threads: number;
}

/** The group, or groups, of one render. Removed with `using`, once its process is gone. */
export class RenderCgroup implements Disposable {
  readonly #groups: readonly CgroupHome[];

  /** @throws the file system's error; it leaves nothing behind then. */
  static make(homes: readonly CgroupHome[], name: string, pid: number, bounds: CgroupBounds): RenderCgroup {
    using made = new DisposableStack();
    const groups = homes.map((home) => ({ ...home, folder: join(home.folder, name) }));
    const group = made.use(new RenderCgroup(groups));
    for (const { folder, version, controllers } of groups) {
      mkdirSync(folder);
      for (const controller of controllers) bound(folder, version, controller, bounds);
      writeFileSync(join(folder, 'cgroup.procs'), String(pid));
    }
    made.move();
    return group;
  }

  private constructor(groups: readonly CgroupHome[]) {
    this.#groups = groups;
  }

  /** Whether the kernel has ended the render because it wanted more memory than it may have. */
  get ranOutOfMemory(): boolean {
    return this.#groups.some(({ folder, version, controllers }) => {
      if (!controllers.includes('memory')) return false;
      const file = version === 2 ? 'memory.events' : 'memory.oom_control';
      return /^oom_kill [1-9]/m.test(textOf(join(folder, file)));
    });
  }

  [Symbol.dispose](): void {
    for (const { folder } of this.#groups) {
      try {
        rmdirSync(folder);
      } catch {
        // The next start of a service sweeps it.
      }
    }
  }
}

function bound(folder: string, version: 1 | 2, controller: Controller, bounds: CgroupBounds): void {
  const write = (file: string, value: number) => writeFileSync(join(folder, file), String(value));
  if (controller === 'pids') write('pids.max', bounds.threads);
  else if (version === 1) write('memory.limit_in_bytes', bounds.memoryBytes);
  else {
    write('memory.max', bounds.memoryBytes);
    try {
      // Otherwise it would have as much again on the disk. Not every kernel counts that.
      write('memory.swap.max', 0);
    } catch {}
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
