/** So many pictures may wait for the encoder. */
const MOST_WAITING = 4;
/** Drops that are closer together than this belong to one run. */
const RUN_GAP_MS = 500;
/** An encoder that drops pictures for longer than this does not keep up: a stall passes before. */
const BEHIND_MS = 2000;

/** The pictures that wait for an encoder, and whether it keeps up with them. */
export class EncoderQueue {
  #waiting = 0;
  #run: { readonly from: number; readonly to: number } | null = null;

  /** @returns whether there is room for a picture; without room it is dropped. */
  add(now: number): boolean {
    if (this.#waiting > MOST_WAITING) {
      const goesOn = this.#run !== null && now - this.#run.to < RUN_GAP_MS;
      this.#run = { from: goesOn ? this.#run!.from : now, to: now };
      return false;
    }
    this.#waiting += 1;
    return true;
  }

  /** A picture is encoded. */
  done(): void {
    this.#waiting -= 1;
  }

  /** Whether pictures have been dropped for longer than a stall lasts, and still are. */
  isBehind(now: number): boolean {
    return this.#run !== null && now - this.#run.to < RUN_GAP_MS && this.#run.to - this.#run.from > BEHIND_MS;
  }
}
