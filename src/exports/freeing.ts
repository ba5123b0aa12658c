import { ExportError } from '../errors.ts';
import type { RoomReserve } from '../store/nodes/room-reserve.ts';
import type { Log } from './log.ts';

interface FreeingPorts {
  /** null if the records are not on a local disk. */
  readonly reserve: RoomReserve | null;
  readonly log: Log;
}

/** Work that frees space. Recording a removal needs space itself; on a full disk it uses the reserve. (H27) */
export class Freeing {
  readonly #ports: FreeingPorts;
  #isFull = false;

  constructor(ports: FreeingPorts) {
    this.#ports = ports;
  }

  /** Runs the work. If the disk is full, releases the reserve and runs the work again from its start. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const { reserve } = this.#ports;
    try {
      return await work();
    } catch (error) {
      if (reserve === null || !(error instanceof ExportError && error.code === 'store.disk_full')) throw error;
      await reserve.giveUp();
      const done = await work();
      await this.refill();
      return done;
    }
  }

  /** Refills the reserve as soon as there is space. */
  async refill(): Promise<void> {
    const { reserve, log } = this.#ports;
    if (reserve === null) return;
    if (reserve.missingBytes > 0) await reserve.takeBack();
    const wasFull = this.#isFull;
    this.#isFull = reserve.missingBytes > 0;
    if (this.#isFull && !wasFull) log('warn', 'disk full', {});
    if (wasFull && !this.#isFull) log('info', 'disk no longer full', {});
  }
}
