import { link, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import type { PlanOutline } from '../../plan/outline/plan-outline.ts';
import { cloneFile, takeFile } from '../../sandbox/host/take-file.ts';
import type { RenderChild } from '../../sandbox/render-child.ts';
import type { ExportRecord } from '../../store/export-record.ts';
import type { Seconds } from '../../time.ts';
import type { PlanStore } from '../plan-store.ts';
import type { Uploads } from '../uploads.ts';
import { StartedChild, type StartedChildPorts } from './started-child.ts';

interface RenderSlotPorts extends StartedChildPorts {
  readonly uploads: Pick<Uploads, 'open'>;
  readonly plans: Pick<PlanStore, 'hold'>;
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

/**
 * A render child at work on one export: its uploads, its folders, itself. Serves all jobs of that export, and fetches an upload
 * when the first of them needs it.
 */
export class RenderSlot implements AsyncDisposable {
  readonly exportId: string;
  /** Whose export it is, and whose cached chunks it may use. */
  readonly tenant: string;
  readonly #started: StartedChild;
  readonly #ports: RenderSlotPorts;
  readonly #signal: AbortSignal;
  /** By their hash: where the child finds them, or will. */
  readonly #uploads = new Map<string, Promise<string>>();
  readonly #lentPlans = new Map<string, Promise<string>>();
  readonly #release = new AsyncDisposableStack();

  private constructor(
    { id, tenant }: RenderedVideo,
    started: StartedChild,
    ports: RenderSlotPorts,
    signal: AbortSignal,
  ) {
    this.exportId = id;
    this.tenant = tenant;
    this.#started = started;
    this.#release.use(started);
    this.#ports = ports;
    this.#signal = signal;
  }

  /** Starts the child, unless it is given one. `signal` ends it for good. */
  static async open(
    video: RenderedVideo,
    ports: RenderSlotPorts,
    signal: AbortSignal,
    { niceness, spare }: { readonly niceness?: number; readonly spare?: StartedChild | null } = {},
  ): Promise<RenderSlot> {
    const started = spare ?? (await StartedChild.start(ports, video.duration, signal, niceness));
    return new RenderSlot(video, started, ports, signal);
  }

  get child(): RenderChild {
    return this.#started.child;
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
    const path = this.#started.path('lent', `upload-${hash}`);
    await linkOrClone(file.path, path);
    // Throws where the slot has ended meanwhile, and the file is released here.
    this.#release.use(file);
    held.move();
    return path;
  }

  /** A place in the child's folder. */
  path(name: string): string {
    return this.#started.path('made', name);
  }

  /** Puts a file of ours where the child can read it and not change it; `remove` takes it away again. */
  async lend(file: string, name: string): Promise<string> {
    const path = this.#started.path('lent', name);
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
    const taken = this.#started.path('taken', basename(path));
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

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#release.disposeAsync();
  }
}

/** A second name is enough: the child may read in that folder, and nothing else. Not every file system has them. */
async function linkOrClone(file: string, path: string): Promise<void> {
  await link(file, path).catch(() => cloneFile(file, path));
}
