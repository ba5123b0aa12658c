import type { Overlay } from '../../plan/overlay-painter.ts';
import type { SentOverlay } from './painter-messages.ts';

/** Memory is given out in steps of this. */
const STEP_BYTES = 64 * 1024;
/** Pictures that are sent again and again, and whose pixels are copied once. */
const MOST_LASTING = 1;

interface Lent {
  readonly at: number;
  readonly bytes: number;
  /** How often it was sent and not yet given back. */
  times: number;
  /** Whether it may be sent again. */
  lasts: boolean;
}

/**
 * Copies of pictures in one piece of memory that two threads see. To make such memory for every picture would take longer than to fill
 * it, and what two threads have seen is collected only when both have looked for garbage.
 */
export class SharedPixels {
  readonly memory: SharedArrayBuffer;
  /** What is free, in order. */
  #free: { readonly at: number; readonly bytes: number }[];
  readonly #lent = new Map<number, Lent>();
  /** Oldest first. */
  readonly #lasting = new Map<Overlay, number>();
  #lastId = 0;

  constructor(bytes: number) {
    this.memory = new SharedArrayBuffer(bytes);
    this.#free = [{ at: 0, bytes }];
  }

  /** For once: the other side gives it back when it has seen it. */
  lend(overlay: Overlay): SentOverlay {
    return this.#send(overlay, false);
  }

  /** The very same as before, where that is not long ago; to be given back as often as it was lent. */
  lendAgain(overlay: Overlay): SentOverlay {
    const known = this.#lasting.get(overlay);
    if (known === undefined) {
      const sent = this.#send(overlay, true);
      if (this.#lent.has(sent.id)) this.#lasting.set(overlay, sent.id);
      if (this.#lasting.size > MOST_LASTING) this.#forgetOldest();
      return sent;
    }
    this.#lasting.delete(overlay);
    this.#lasting.set(overlay, known);
    const lent = this.#lent.get(known)!;
    lent.times += 1;
    return { id: known, rect: overlay.rect, pixels: 'shared', at: lent.at };
  }

  giveBack(ids: readonly number[]): void {
    for (const id of ids) {
      const lent = this.#lent.get(id);
      if (lent === undefined) continue;
      lent.times -= 1;
      this.#freeUnused(id, lent);
    }
  }

  /** Where there is no room, in memory of its own. */
  #send(overlay: Overlay, lasts: boolean): SentOverlay {
    const bytes = Math.max(1, Math.ceil(overlay.rgba.byteLength / STEP_BYTES)) * STEP_BYTES;
    this.#lastId += 1;
    const free = this.#free.findIndex((part) => part.bytes >= bytes);
    if (free < 0) return owned(overlay, this.#lastId);
    const { at, bytes: there } = this.#free[free]!;
    this.#free.splice(free, 1, ...(there > bytes ? [{ at: at + bytes, bytes: there - bytes }] : []));
    new Uint8Array(this.memory, at).set(overlay.rgba);
    this.#lent.set(this.#lastId, { at, bytes, times: 1, lasts });
    return { id: this.#lastId, rect: overlay.rect, pixels: 'shared', at };
  }

  #forgetOldest(): void {
    const [overlay, id] = this.#lasting.entries().next().value!;
    this.#lasting.delete(overlay);
    const lent = this.#lent.get(id)!;
    lent.lasts = false;
    this.#freeUnused(id, lent);
  }

  #freeUnused(id: number, { at, bytes, times, lasts }: Lent): void {
    if (times > 0 || lasts) return;
    this.#lent.delete(id);
    const parts = [...this.#free, { at, bytes }].sort((one, other) => one.at - other.at);
    this.#free = [];
    for (const part of parts) {
      const before = this.#free.at(-1);
      if (before === undefined || before.at + before.bytes < part.at) this.#free.push(part);
      else this.#free[this.#free.length - 1] = { at: before.at, bytes: before.bytes + part.bytes };
    }
  }
}

/** A picture in memory that is nobody else's, and garbage in the end. */
export function owned({ rect, rgba }: Overlay, id = 0): SentOverlay {
  const pixels = new SharedArrayBuffer(rgba.byteLength);
  new Uint8Array(pixels).set(rgba);
  return { id, rect, pixels, at: 0 };
}
