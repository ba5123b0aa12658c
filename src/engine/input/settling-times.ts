import type { Packet } from 'node-av/lib';

/**
 * Finds the packets of a program stream that have correct times after a seek. A timestamp belongs to the first frame that starts
 * after it, and frames without a timestamp may follow. A seek ends in the middle of a frame: libavformat assigns the first timestamp
 * to the rest of that frame, and its times are wrong up to the second timestamp.
 */
export class SettlingTimes {
  /** The start of each stream in the file, where no frame is cut. */
  readonly #begins = new Map<number, bigint>();
  /** By stream, the timestamps met since the last seek; null before the first one. */
  #met: Map<number, number> | null = null;

  /** Call it at each seek. */
  sought(): void {
    this.#met = new Map();
  }

  /** Call it with every packet, in the order of reading. */
  isTimed({ streamIndex, pos }: Pick<Packet, 'streamIndex' | 'pos'>): boolean {
    if (!this.#begins.has(streamIndex) && this.#met === null) this.#begins.set(streamIndex, pos);
    if (this.#met === null) return true;
    // Packets behind their own timestamp have a known position.
    const met = this.#begins.get(streamIndex) === pos ? 2 : (this.#met.get(streamIndex) ?? 0) + (pos >= 0n ? 1 : 0);
    this.#met.set(streamIndex, met);
    return met >= 2;
  }
}
