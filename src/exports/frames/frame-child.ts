import { constants } from 'node:fs';
import { copyFile, link, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ExportError, type Issue } from '../../errors.ts';
import type { FramePlan } from '../../plan/frame-plan.ts';
import type { ThumbnailPlan } from '../../plan/thumbnail-plan.ts';
import { NICENESS } from '../../platform/process-priority.ts';
import { processLoad } from '../../sandbox/host/process-load.ts';
import type { RenderChild } from '../../sandbox/render-child.ts';
import type { Probed, RenderHost } from '../../sandbox/render-host.ts';
import type { LocalFile, LocalFiles } from '../../store/local-files.ts';
import type { FrameFormat, FramePicture, ThumbnailFormat } from '../api/exports-api.ts';

/** What a child that renders frames is started with. */
export interface FrameChildPorts {
  readonly local: Pick<LocalFiles, 'scratch'>;
  readonly host: RenderHost;
}

/** A file to lend to a child. */
export interface LentFile {
  readonly path: string;
  readonly sha256: string;
}

/** A child renders a few frames of one project, which never takes minutes of CPU time. */
const BUDGET_MS = 600_000;
/** It writes nothing but a picture. */
const MAX_FILE_BYTES = 256 * 2 ** 20;
/** Files that are probed at a time. */
const PROBES_AT_ONCE = 4;

/**
 * A jailed child that renders single frames. It starts before its media are known. Media are added later as hard links
 * in a folder that it may read but not change.
 * Why hard links in a lent folder: passing descriptors needs a socket, which the jail refuses; and a child that is
 * jailed late has loaded its libraries outside the jail. Landlock checks the path that a file is opened by, this folder
 * grants reading only, and the jail refuses links, renames and truncation. The child can do no more to these files than
 * to the inputs of a render. (An earlier hole was a link in the folder that the child may write to.)
 */
export class FrameChild implements AsyncDisposable {
  readonly #child: RenderChild;
  readonly #folder: LocalFile;
  readonly #limits: RenderHost['mediaLimits'];
  /** The paths of lent files, by hash. */
  readonly #lent = new Map<string, string>();
  readonly #probed = new Map<string, Probed>();
  #shown = 0;

  private constructor(child: RenderChild, folder: LocalFile, limits: RenderHost['mediaLimits']) {
    this.#child = child;
    this.#folder = folder;
    this.#limits = limits;
  }

  /** Starts a child and renders a warm-up frame, which loads code, fonts and libraries into memory. */
  static async start({ local, host }: FrameChildPorts, warmUp: FramePlan): Promise<FrameChild> {
    await using held = new AsyncDisposableStack();
    const folder = held.use(await local.scratch());
    const [workDir, lentDir] = [join(folder.path, 'made'), join(folder.path, 'lent')];
    for (const path of [workDir, lentDir]) await mkdir(path);
    const terms = { inputs: [], workDir, lentDir, duration: BUDGET_MS / 1000, budgetMs: BUDGET_MS };
    const child = held.use(await host.open({ ...terms, fileBytes: MAX_FILE_BYTES, niceness: NICENESS.frame }));
    const started = new FrameChild(child, folder, host.mediaLimits);
    await child.request('warm_up', { for: 'frame' });
    await started.show(warmUp, 'png', new AbortController().signal);
    held.move();
    return started;
  }

  get lives(): boolean {
    return this.#child.lives;
  }

  /** The hashes of the content that it was lent. */
  get seen(): ReadonlySet<string> {
    return new Set(this.#lent.keys());
  }

  /** Its current memory use; 0 if unknown. */
  async residentBytes(): Promise<number> {
    const { pid } = this.#child;
    return pid === undefined ? 0 : ((await processLoad(pid))?.rssBytes ?? 0);
  }

  /** Lends files. The child can read them even if their original names are removed. */
  async lend(files: Iterable<LentFile>): Promise<void> {
    for (const { path, sha256 } of files) {
      if (this.#lent.has(sha256)) continue;
      const name = join(this.#folder.path, 'lent', String(this.#lent.size));
      await secondName(path, name);
      this.#lent.set(sha256, name);
    }
  }

  /** Probes lent files, by hash. @throws if the child ends because of one. */
  async probe(hashes: Iterable<string>, signal: AbortSignal): Promise<ReadonlyMap<string, Probed>> {
    const wanted = [...new Set(hashes)];
    const unknown = wanted.filter((hash) => !this.#probed.has(hash)).values();
    const probeRest = async (): Promise<void> => {
      for (const hash of unknown) this.#probed.set(hash, await this.#probe(hash, signal));
    };
    await Promise.all(Array.from({ length: PROBES_AT_ONCE }, probeRest));
    return new Map(wanted.map((hash) => [hash, this.#probed.get(hash)!]));
  }

  /** Renders the frame as a picture. `signal` ends the child. @throws every error of a render. */
  show({ plan, planName, frame }: FramePlan, format: FrameFormat, signal: AbortSignal): Promise<ShownPicture> {
    return this.#picture(format, signal, (out, options) => {
      const params = { plan, files: this.#filesOf(plan), limits: this.#limits, frame, out, format, planName };
      return this.#child.request('render_still', params, options);
    });
  }

  /** Draws the thumbnail as a picture. `signal` ends the child. @throws every error of a render. */
  thumbnail(plan: ThumbnailPlan, format: ThumbnailFormat, signal: AbortSignal): Promise<ShownPicture> {
    return this.#picture(format, signal, (out, options) => {
      const params = { plan, files: this.#filesOf(plan), limits: this.#limits, out, format };
      return this.#child.request('paint_thumbnail', params, options);
    });
  }

  #filesOf({ sources }: Pick<ThumbnailPlan, 'sources'>): (readonly [source: number, path: string])[] {
    return sources.map(({ hash }, source) => [source, this.#lent.get(hash) ?? ''] as const);
  }

  async #picture(
    format: FrameFormat,
    signal: AbortSignal,
    make: (out: string, options: MakingOptions) => Promise<{ readonly width: number; readonly height: number }>,
  ): Promise<ShownPicture> {
    const out = join(this.#folder.path, 'made', `${++this.#shown}.${format}`);
    const warnings: FramePicture['warnings'][number][] = [];
    const size = await make(out, { signal, onWarning: (issue) => warnings.push(issue) });
    try {
      return { ...size, bytes: await readWhole(out, MAX_FILE_BYTES), warnings };
    } finally {
      await rm(out, { force: true });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child[Symbol.asyncDispose]();
    await this.#folder[Symbol.asyncDispose]();
  }

  async #probe(hash: string, signal: AbortSignal): Promise<Probed> {
    const file = this.#lent.get(hash)!;
    try {
      return await this.#child.request('probe', { file, limits: this.#limits }, { signal });
    } catch (error) {
      if (!(error instanceof ExportError) || !this.#child.lives) throw error;
      return error;
    }
  }
}

interface MakingOptions {
  readonly signal: AbortSignal;
  readonly onWarning: (issue: Issue) => void;
}

/** A picture and its warnings. */
export type ShownPicture = Pick<FramePicture, 'bytes' | 'width' | 'height' | 'warnings'>;

/** Not every file system supports links, and the folders may be on different file systems. */
async function secondName(path: string, name: string): Promise<void> {
  await link(path, name).catch(() => copyFile(path, name, constants.COPYFILE_FICLONE));
}

/** Reads a file of the child. Neither its length nor its type is trusted. */
async function readWhole(path: string, maxBytes: number): Promise<Buffer> {
  await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  const { size } = await file.stat();
  if (size > maxBytes) throw new ExportError('internal', 'render.misbehaved', 'The picture is too large.');
  const bytes = Buffer.alloc(size);
  const { bytesRead } = await file.read(bytes, 0, size, 0);
  return bytes.subarray(0, bytesRead);
}
