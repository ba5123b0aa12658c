import { link, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RenderPlan } from '../../plan/render-plan.ts';
import type { RenderChild } from '../../sandbox/render-child.ts';
import type { RenderHost } from '../../sandbox/render-host.ts';
import type { BlobStore, LocalBlob } from '../../store/blob-store.ts';
import type { ExportRecord } from '../../store/export-record.ts';
import { uploadKey } from '../export-keys.ts';

interface RenderSlotPorts {
  readonly blobs: Pick<BlobStore, 'local' | 'workFolder'>;
  readonly host: RenderHost;
}

/** A render child at work on one export: its uploads, its folder, itself. Serves all jobs of that export. */
export class RenderSlot implements AsyncDisposable {
  readonly exportId: string;
  readonly child: RenderChild;
  readonly #folder: LocalBlob;
  readonly #uploads: ReadonlyMap<string, LocalBlob>;
  readonly #limits: RenderHost['mediaLimits'];
  #release = new AsyncDisposableStack();

  private constructor(
    exportId: string,
    child: RenderChild,
    folder: LocalBlob,
    uploads: ReadonlyMap<string, LocalBlob>,
    limits: RenderHost['mediaLimits'],
  ) {
    this.exportId = exportId;
    this.child = child;
    this.#folder = folder;
    this.#uploads = uploads;
    this.#limits = limits;
  }

  /** Fetches the uploads and starts the child. `signal` ends the child for good. */
  static async open(record: ExportRecord, { blobs, host }: RenderSlotPorts, signal: AbortSignal): Promise<RenderSlot> {
    await using held = new AsyncDisposableStack();
    const uploads = new Map<string, LocalBlob>();
    for (const { field, hash } of record.uploads) uploads.set(field, held.use(await blobs.local(uploadKey(hash))));
    const folder = held.use(await blobs.workFolder());
    const inputs = [...new Set([...uploads.values()].map(({ path }) => path))];
    // One child renders all shapes of the export, so its budget is for all of them.
    const duration = record.durationSeconds * record.outputs.length;
    const child = held.use(await host.open({ inputs, workDir: folder.path, duration, signal }));
    const slot = new RenderSlot(record.id, child, folder, uploads, host.mediaLimits);
    slot.#release = held.move();
    return slot;
  }

  /** The plan and its uploads as the child's requests name them. */
  inputs(plan: RenderPlan) {
    const files = plan.sources.map(({ field }, source) => [source, this.#uploads.get(field)!.path] as const);
    return { plan, files, limits: this.#limits };
  }

  /** A place in the child's folder. */
  path(name: string): string {
    return join(this.#folder.path, name);
  }

  /** Puts a file of ours where the child can read it, under a name of its folder; `remove` takes it away again. */
  async lend(file: string, name: string): Promise<string> {
    const path = this.path(name);
    await rm(path, { force: true });
    await link(file, path);
    return path;
  }

  async remove(...paths: readonly string[]): Promise<void> {
    for (const path of paths) await rm(path, { force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#release.disposeAsync();
  }
}
