import type { Packet } from 'node-av/lib';

/**
 * Which packets of a program stream have right times behind a seek. There a timestamp belongs to the first frame that begins behind
 * it, several frames may follow without one, and a seek leads into the middle of a frame: libavformat gives that rest the first
 * timestamp, and counts on from it up to the second.
 */
export class SettlingTimes {
  /** Where each stream begins in the file: nothing is cut off there. */
  readonly #begins = new Map<number, bigint>();
  /** By stream, the timestamps met since the last seek; null before the first one. */
  #met: Map<number, number> | null = null;

  /** To be called with each seek. */
  sought(): void {
    this.#met = new Map();
  }

  /** To be shown all packets, as they are read. */
  isTimed({ streamIndex, pos }: Pick<Packet, 'streamIndex' | 'pos'>): boolean {
    if (!this.#begins.has(streamIndex) && this.#met === null) this.#begins.set(streamIndex, pos);
    if (this.#met === null) return true;
    // Packets behind their own timestamp have a known position.
    const met = this.#begins.get(streamIndex) === pos ? 2 : (this.#met.get(streamIndex) ?? 0) + (pos >= 0n ? 1 : 0);
    this.#met.set(streamIndex, met);
    return met >= 2;
  }
}
