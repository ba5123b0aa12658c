import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { NICENESS } from '../../platform/process-priority.ts';
import type { RenderChild } from '../../sandbox/render-child.ts';
import type { RenderHost } from '../../sandbox/render-host.ts';
import type { LocalFile, LocalFiles } from '../../store/local-files.ts';
import type { Seconds } from '../../time.ts';

export interface StartedChildPorts {
  readonly local: Pick<LocalFiles, 'scratch'>;
  readonly host: RenderHost;
}

/** The child writes to the first folder and reads from the second. It cannot access the third. */
const FOLDERS = ['made', 'lent', 'taken'] as const;

/** A render child and its folders. It has no data of an export until it is lent a plan. */
export class StartedChild implements AsyncDisposable {
  readonly child: RenderChild;
  /** The longest video that its limits allow. */
  readonly duration: Seconds;
  readonly #folder: LocalFile;

  private constructor(child: RenderChild, duration: Seconds, folder: LocalFile) {
    this.child = child;
    this.duration = duration;
    this.#folder = folder;
  }

  /** `signal` ends the child permanently. */
  static async start(
    { local, host }: StartedChildPorts,
    duration: Seconds,
    signal: AbortSignal,
    niceness: number = NICENESS.render,
  ): Promise<StartedChild> {
    await using held = new AsyncDisposableStack();
    const folder = held.use(await local.scratch());
    for (const name of FOLDERS) await mkdir(join(folder.path, name));
    const [workDir, lentDir] = [join(folder.path, 'made'), join(folder.path, 'lent')];
    const child = await host.open({ inputs: [], workDir, lentDir, duration, niceness, signal });
    held.move();
    return new StartedChild(child, duration, folder);
  }

  /** A path in one of its folders. */
  path(folder: (typeof FOLDERS)[number], name: string): string {
    return join(this.#folder.path, folder, name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await using _folder = this.#folder;
    await this.child[Symbol.asyncDispose]();
  }
}
