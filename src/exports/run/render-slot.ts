import { link, mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { PlanOutline } from '../../plan/outline/plan-outline.ts';
import { NICENESS } from '../../platform/stand-back.ts';
import { cloneFile, takeFile } from '../../sandbox/host/take-file.ts';
import type { RenderChild } from '../../sandbox/render-child.ts';
import type { RenderHost } from '../../sandbox/render-host.ts';
import type { ExportRecord } from '../../store/export-record.ts';
import type { LocalFile, LocalFiles } from '../../store/local-files.ts';
import type { Seconds } from '../../time.ts';
import type { PlanStore } from '../plan-store.ts';
import type { Uploads } from '../uploads.ts';

interface RenderSlotPorts {
  readonly local: Pick<LocalFiles, 'scratch'>;
  readonly uploads: Pick<Uploads, 'open'>;
  readonly plans: Pick<PlanStore, 'hold'>;
  readonly host: RenderHost;
}

type PlannedInputs = Pick<PlanOutline, 'preset' | 'cutOf' | 'sources'>;

/** What a child is started for. */
export interface RenderedVideo {
  /** The id that its plans are stored under. */
  readonly id: string;
  readonly tenant: string;
  /** Of all that the child will render: its budget follows from it. */
  readonly duration: Seconds;
}

/** One child renders all outputs of an export, so its budget is for all of them. */
export function renderedVideo({
  id,
  tenant,
  outputs,
  durationSeconds,
  totalFrames: selected,
}: ExportRecord): RenderedVideo {
  const frames = outputs.reduce((sum, { totalFrames }) => sum + totalFrames, 0);
  return { id, tenant, duration: (durationSeconds * frames) / selected };
}

/** The child writes to the first folder and reads from the second; the third is closed to it. */
const FOLDERS = ['made', 'lent', 'taken'] as const;

/**
 * A render child at work on one export: its uploads, its folders, itself. Serves all jobs of that export, and fetches an upload
 * when the first of them needs it.
 */
export class RenderSlot implements AsyncDisposable {
  readonly exportId: string;
  /** Whose export it is, and whose cached pieces it may use. */
  readonly tenant: string;
  readonly child: RenderChild;
  readonly #folder: LocalFile;
  readonly #ports: RenderSlotPorts;
  readonly #signal: AbortSignal;
  /** By their hash: where the child finds them, or will. */
  readonly #uploads = new Map<string, Promise<string>>();
  readonly #lentPlans = new Map<string, Promise<string>>();
  #release = new AsyncDisposableStack();

  private constructor(
    { id, tenant }: RenderedVideo,
    child: RenderChild,
    folder: LocalFile,
    ports: RenderSlotPorts,
    signal: AbortSignal,
  ) {
    this.exportId = id;
    this.tenant = tenant;
    this.child = child;
    this.#folder = folder;
    this.#ports = ports;
    this.#signal = signal;
  }

  /** Starts the child. `signal` ends it for good. */
  static async open(
    video: RenderedVideo,
    ports: RenderSlotPorts,
    signal: AbortSignal,
    niceness: number = NICENESS.render,
  ): Promise<RenderSlot> {
    const { local, host } = ports;
    const { duration } = video;
    await using held = new AsyncDisposableStack();
    const folder = held.use(await local.scratch());
    for (const name of FOLDERS) await mkdir(join(folder.path, name));
    const [workDir, lentDir] = [join(folder.path, 'made'), join(folder.path, 'lent')];
    const child = held.use(await host.open({ inputs: [], workDir, lentDir, duration, niceness, signal }));
    const slot = new RenderSlot(video, child, folder, ports, signal);
    slot.#release = held.move();
    return slot;
  }

  /**
   * A plan and those of its uploads that are needed, as the child's requests name them; what is not here yet is fetched.
   *
   * @throws `export.plan_missing`
   */
  async inputs({ preset, cutOf = preset, sources }: PlannedInputs, needed: Iterable<number>) {
    const lent = this.#lentPlans.get(cutOf) ?? this.#lendPlan(cutOf);
    this.#lentPlans.set(cutOf, lent);
    lent.catch(() => this.#lentPlans.delete(cutOf));
    const fetching = [...needed].map(async (source) => [source, await this.#upload(sources[source]!.hash)] as const);
    const [file, files] = await Promise.all([lent, Promise.all(fetching)]);
    return { plan: { file }, files, limits: this.#ports.host.mediaLimits };
  }

  #upload(hash: string): Promise<string> {
    const known = this.#uploads.get(hash) ?? this.#fetch(hash);
    this.#uploads.set(hash, known);
    known.catch(() => this.#uploads.delete(hash));
    return known;
  }

  async #fetch(hash: string): Promise<string> {
    await using held = new AsyncDisposableStack();
    const file = held.use(await this.#ports.uploads.open(hash, this.#signal));
    const path = this.#in('lent', `upload-${hash}`);
    await linkOrClone(file.path, path);
    // Throws where the slot has ended meanwhile, and the file is released here.
    this.#release.use(file);
    held.move();
    return path;
  }

  /** A place in the child's folder. */
  path(name: string): string {
    return this.#in('made', name);
  }

  /** Puts a file of ours where the child can read it and not change it; `remove` takes it away again. */
  async lend(file: string, name: string): Promise<string> {
    const path = this.#in('lent', name);
    await rm(path, { force: true });
    // Without Landlock the child could write to it under its second name, too.
    await (this.#readsOnly ? linkOrClone(file, path) : cloneFile(file, path));
    return path;
  }

  /**
   * Takes what the child has left at a place of its folder. From then on it is ours alone: what is looked at, hashed and
   * published is what the child had made by now, whatever it does next.
   */
  async take(path: string): Promise<string> {
    const taken = this.#in('taken', basename(path));
    await takeFile(path, taken);
    return taken;
  }

  async remove(...paths: readonly string[]): Promise<void> {
    for (const path of paths) await rm(path, { force: true });
  }

  /** As a file, which nobody but the child has to read. */
  async #lendPlan(preset: string): Promise<string> {
    await using held = await this.#ports.plans.hold(this.exportId, preset);
    return await this.lend(held.path, `plan-${preset}.json`);
  }

  get #readsOnly(): boolean {
    return this.child.jail.layers.some(({ name }) => name === 'landlock');
  }

  #in(folder: (typeof FOLDERS)[number], name: string): string {
    return join(this.#folder.path, folder, name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#release.disposeAsync();
  }
}

/** A second name is enough: the child may read in that folder, and nothing else. Not every file system has them. */
async function linkOrClone(file: string, path: string): Promise<void> {
  await link(file, path).catch(() => cloneFile(file, path));
}
