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

/** The video that a child is started for. */
export interface RenderedVideo {
  /** The id that its plans are stored under. */
  readonly id: string;
  readonly tenant: string;
  /** The total duration that the child renders; its budget depends on it. */
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
 * A render child for one export: its uploads, its folders, its process. It serves all jobs of that export, and fetches
 * an upload when a job first needs it.
 */
export class RenderSlot implements AsyncDisposable {
  readonly exportId: string;
  /** The tenant of the export, whose cached chunks it may use. */
  readonly tenant: string;
  readonly #started: StartedChild;
  readonly #ports: RenderSlotPorts;
  readonly #signal: AbortSignal;
  /** The paths of uploads in the child's folder, by hash. */
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

  /** Starts the child, unless it is given one. `signal` ends it permanently. */
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
   * A plan and the needed uploads, as paths for the child's requests. Fetches missing uploads.
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
    // Throws if the slot has ended meanwhile; the file is released then.
    this.#release.use(file);
    held.move();
    return path;
  }

  /** A path in the child's folder. */
  path(name: string): string {
    return this.#started.path('made', name);
  }

  /** Makes a file readable, but not writable, for the child; `remove` undoes it. */
  async lend(file: string, name: string): Promise<string> {
    const path = this.#started.path('lent', name);
    await rm(path, { force: true });
    // Without Landlock the child could also write to it through the link.
    await (this.#readsOnly ? linkOrClone(file, path) : cloneFile(file, path));
    return path;
  }

  /**
   * Moves a file out of the child's folder. After that the child cannot change it, so the service checks, hashes and
   * publishes the same bytes.
   */
  async take(path: string): Promise<string> {
    const taken = this.#started.path('taken', basename(path));
    await takeFile(path, taken);
    return taken;
  }

  async remove(...paths: readonly string[]): Promise<void> {
    for (const path of paths) await rm(path, { force: true });
  }

  /** As a file, so that only the child parses it. */
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

/** A link is enough, because the child may only read in that folder. Not every file system supports links. */
async function linkOrClone(file: string, path: string): Promise<void> {
  await link(file, path).catch(() => cloneFile(file, path));
}
