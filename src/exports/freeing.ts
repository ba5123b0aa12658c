import type { RoomReserve } from '../store/nodes/node-store.ts';
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

  /** Runs the work with the reserve. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const { reserve } = this.#ports;
    if (reserve === null) return work();
    const done = await reserve.lend(work);
    await this.refill();
    return done;
  }

  /** Refills the reserve as soon as there is space. */
  async refill(): Promise<void> {
    const { reserve, log } = this.#ports;
    if (reserve === null) return;
    await reserve.refill();
    const wasFull = this.#isFull;
    this.#isFull = reserve.isFull;
    if (this.#isFull && !wasFull) log('warn', 'disk full', {});
    if (wasFull && !this.#isFull) log('info', 'disk no longer full', {});
  }
}
