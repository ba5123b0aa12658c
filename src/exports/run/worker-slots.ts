import type { RenderedVideo, RenderSlot } from './render-slot.ts';
import { SPARE_SECONDS, SpareChild, type StartChild } from './spare-child.ts';
import type { StartedChild } from './started-child.ts';

export interface WorkerSlotsPorts {
  /** Gives a video the spare child or starts one; `signal` ends it permanently. */
  readonly openSlot: (video: RenderedVideo, spare: StartedChild | null, signal: AbortSignal) => Promise<RenderSlot>;
  readonly startChild: StartChild;
  /** Waits for the export of a draft. All workers of the node share it. */
  readonly draftSpare: SpareChild;
}

/**
 * The child of a worker. Each child serves one export. A worker that changes from one short video to the next starts a
 * spare child while it renders: a start takes half as long as a small export in all.
 */
export class WorkerSlots {
  readonly #ports: WorkerSlotsPorts;
  readonly #spare: SpareChild;
  #slot: RenderSlot | null = null;

  constructor(ports: WorkerSlotsPorts) {
    this.#ports = ports;
    this.#spare = new SpareChild(ports.startChild);
  }

  /** Returns the slot of a video. */
  async of(video: RenderedVideo, signal: AbortSignal): Promise<RenderSlot> {
    if (this.#slot?.exportId === video.id) return this.#slot;
    const isBusy = this.#slot !== null && video.duration <= SPARE_SECONDS;
    await this.close();
    const spare = (await this.#spare.take(video.duration)) ?? (await this.#ports.draftSpare.take(video.duration));
    this.#slot = await this.#ports.openSlot(video, spare, signal);
    if (isBusy) this.#spare.keep(SPARE_SECONDS, signal);
    return this.#slot;
  }

  /** Ends the child of the last video. */
  async close(): Promise<void> {
    const open = this.#slot;
    this.#slot = null;
    await open?.[Symbol.asyncDispose]();
  }

  /** Ends the spare child of the worker, too. */
  async rest(): Promise<void> {
    await this.close();
    await this.#spare.close();
  }

  /** Ends all children, including the one that waits for the export of a draft. */
  async closeAll(): Promise<void> {
    await this.rest();
    await this.#ports.draftSpare.close();
  }
}
