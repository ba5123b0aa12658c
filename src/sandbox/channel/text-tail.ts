/** Keeps the end of a text that may be endless. */
export class TextTail {
  readonly #limitBytes: number;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  append(bytes: Uint8Array): void {
    this.#bytes = Buffer.concat([this.#bytes, bytes]).subarray(-this.#limitBytes);
  }

  /** What was kept; control characters other than line breaks and tabs are shown as dots. */
  toString(): string {
    return this.#bytes.toString('utf8').replaceAll(/[^\P{Cc}\n\t]/gu, '·');
  }
}
