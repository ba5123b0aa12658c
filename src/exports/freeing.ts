import { ExportError } from '../errors.ts';
import type { RoomReserve } from '../store/nodes/room-reserve.ts';
import type { Log } from './log.ts';

interface FreeingPorts {
  /** null where records are not on a disk of ours. */
  readonly reserve: RoomReserve | null;
  readonly log: Log;
}

/** Work that frees room. Records of what goes need some themselves: on a full disk it is that of the reserve. (H27) */
export class Freeing {
  readonly #ports: FreeingPorts;
  #isFull = false;

  constructor(ports: FreeingPorts) {
    this.#ports = ports;
  }

  /** Does the work; on a full disk once more, from its beginning, with the reserve given up. */
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

  /** Keeps the reserve back again, as soon as there is room. */
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
