import { link, mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { PlanOutline } from '../../plan/plan-outline.ts';
import { NICENESS } from '../../platform/process-priority.ts';
import { cloneFile, takeFile } from '../../sandbox/host/take-file.ts';
import type { RenderChild } from '../../sandbox/render-child.ts';
import type { RenderHost } from '../../sandbox/render-host.ts';
import type { LocalFile, LocalFiles } from '../../store/local-files.ts';
import type { ExportRecord } from '../../store/records/export-record.ts';
import type { Seconds } from '../../time.ts';
import type { PlanStore } from '../plan-store.ts';
import type { Uploads } from '../uploads.ts';

interface ExportChildPorts {
  readonly local: Pick<LocalFiles, 'scratch'>;
  readonly host: RenderHost;
  readonly uploads: Pick<Uploads, 'open'>;
  readonly plans: Pick<PlanStore, 'hold'>;
}

type PlannedInputs = Pick<PlanOutline, 'preset' | 'cutOf' | 'sources'>;

/** The video that a child renders. */
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

/** The child writes to the first folder and reads from the second. It cannot access the third. */
const FOLDERS = ['made', 'lent', 'taken'] as const;

/**
 * A render child and its folders. It has no data of an export until it is given one, and then serves all jobs of that
 * export: it is lent the plans, and each upload when a job first needs it.
 */
export class ExportChild implements AsyncDisposable {
  readonly process: RenderChild;
  readonly request: RenderChild['request'] = (...asked) => this.process.request(...asked);
  /** The longest video that its limits allow. */
  readonly duration: Seconds;
  readonly #folder: LocalFile;
  readonly #ports: ExportChildPorts;
  readonly #signal: AbortSignal;
  #video: RenderedVideo | null = null;
  /** The paths of uploads in the child's folder, by hash. */
  readonly #uploads = new Map<string, Promise<string>>();
  readonly #lentPlans = new Map<string, Promise<string>>();
  readonly #release = new AsyncDisposableStack();

  private constructor(
    process: RenderChild,
    duration: Seconds,
    folder: LocalFile,
    ports: ExportChildPorts,
    signal: AbortSignal,
  ) {
    this.process = process;
    this.duration = duration;
    this.#folder = this.#release.use(folder);
    this.#release.use(process);
    this.#ports = ports;
    this.#signal = signal;
  }

  /** `signal` ends the child permanently. */
  static async start(
    ports: ExportChildPorts,
    duration: Seconds,
    signal: AbortSignal,
    niceness: number = NICENESS.render,
  ): Promise<ExportChild> {
    await using held = new AsyncDisposableStack();
    const folder = held.use(await ports.local.scratch());
    for (const name of FOLDERS) await mkdir(join(folder.path, name));
    const [workDir, lentDir] = [join(folder.path, 'made'), join(folder.path, 'lent')];
    const child = await ports.host.open({ inputs: [], workDir, lentDir, duration, niceness, signal });
    held.move();
    return new ExportChild(child, duration, folder, ports, signal);
  }

  /** It serves this video, and no other. (H1) */
  serve(video: RenderedVideo): this {
    if (this.#video !== null) throw new Error('a render child serves one export');
    this.#video = video;
    return this;
  }

  get exportId(): string {
    return this.#served.id;
  }

  /** The tenant of the export, whose cached chunks it may use. */
  get tenant(): string {
    return this.#served.tenant;
  }

  get #served(): RenderedVideo {
    if (this.#video === null) throw new Error('the render child has no export yet');
    return this.#video;
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
    const path = this.#path('lent', `upload-${hash}`);
    await linkOrClone(file.path, path);
    // Throws if the child has ended meanwhile; the file is released then.
    this.#release.use(file);
    held.move();
    return path;
  }

  /** A path in the child's folder. */
  path(name: string): string {
    return this.#path('made', name);
  }

  /** Makes a file readable, but not writable, for the child; `remove` undoes it. */
  async lend(file: string, name: string): Promise<string> {
    const path = this.#path('lent', name);
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
    const taken = this.#path('taken', basename(path));
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
    return this.process.jail.layers.some(({ name }) => name === 'landlock');
  }

  #path(folder: (typeof FOLDERS)[number], name: string): string {
    return join(this.#folder.path, folder, name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#release.disposeAsync();
  }
}

/** A link is enough, because the child may only read in that folder. Not every file system supports links. */
async function linkOrClone(file: string, path: string): Promise<void> {
  await link(file, path).catch(() => cloneFile(file, path));
}
