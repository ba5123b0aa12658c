import type { RenderedVideo, RenderSlot } from './render-slot.ts';
import type { StartedChild } from './started-child.ts';

/** Longer videos start a child of their own: the start is a small part of their time, and their limits are higher. */
const SPARE_SECONDS = 120;

export interface WorkerSlotsPorts {
  /** Gives a video the spare child or starts one; `signal` ends it permanently. */
  readonly openSlot: (video: RenderedVideo, spare: StartedChild | null, signal: AbortSignal) => Promise<RenderSlot>;
  /** Starts a child for videos of up to this many seconds. */
  readonly startChild: (duration: number, signal: AbortSignal) => Promise<StartedChild>;
}

/**
 * The child of a worker. Each child serves one export. A worker that changes from one export to the next starts a spare
 * child while it renders: a start takes half as long as a small export in all.
 */
export class WorkerSlots {
  readonly #ports: WorkerSlotsPorts;
  #slot: RenderSlot | null = null;
  #spare: Promise<StartedChild | null> | null = null;

  constructor(ports: WorkerSlotsPorts) {
    this.#ports = ports;
  }

  /** Returns the slot of a video. */
  async of(video: RenderedVideo, signal: AbortSignal): Promise<RenderSlot> {
    if (this.#slot?.exportId === video.id) return this.#slot;
    const isBusy = this.#slot !== null && video.duration <= SPARE_SECONDS;
    await this.close();
    const spare = video.duration <= SPARE_SECONDS ? await this.#takeSpare() : null;
    this.#slot = await this.#ports.openSlot(video, spare, signal);
    if (isBusy) this.#spare ??= this.#startSpare(signal);
    return this.#slot;
  }

  /** Ends the child of the last video. */
  async close(): Promise<void> {
    const open = this.#slot;
    this.#slot = null;
    await open?.[Symbol.asyncDispose]();
  }

  /** Ends the spare child, too. */
  async closeAll(): Promise<void> {
    await this.close();
    const spare = await this.#takeSpare();
    await spare?.[Symbol.asyncDispose]();
  }

  async #takeSpare(): Promise<StartedChild | null> {
    const spare = this.#spare;
    this.#spare = null;
    const started = (await spare) ?? null;
    if (started === null || started.child.lives) return started;
    await started[Symbol.asyncDispose]();
    return null;
  }

  /** null if the start failed; the next export then starts its own. */
  async #startSpare(signal: AbortSignal): Promise<StartedChild | null> {
    let started: StartedChild | null = null;
    try {
      started = await this.#ports.startChild(SPARE_SECONDS, signal);
      await started.child.request('warm_up', { for: 'render' }, { signal });
      return started;
    } catch {
      await started?.[Symbol.asyncDispose]();
      return null;
    }
  }
}
