/** The most pictures that may wait for the encoder. */
const MAX_WAITING = 4;
/** Drops closer together than this belong to one run. */
const RUN_GAP_MS = 500;
/** An encoder that drops pictures for longer than this is too slow; a stall is shorter. */
const BEHIND_MS = 2000;

/** Counts the pictures that wait for an encoder, and detects whether it keeps up. */
export class EncoderQueue {
  #waiting = 0;
  #run: { readonly from: number; readonly to: number } | null = null;

  /** @returns whether there is room for a picture; otherwise it is dropped. */
  add(now: number): boolean {
    if (this.#waiting > MAX_WAITING) {
      const goesOn = this.#run !== null && now - this.#run.to < RUN_GAP_MS;
      this.#run = { from: goesOn ? this.#run!.from : now, to: now };
      return false;
    }
    this.#waiting += 1;
    return true;
  }

  /** A picture has been encoded. */
  done(): void {
    this.#waiting -= 1;
  }

  /** Whether pictures are being dropped for longer than a stall. */
  isBehind(now: number): boolean {
    return this.#run !== null && now - this.#run.to < RUN_GAP_MS && this.#run.to - this.#run.from > BEHIND_MS;
  }
}
