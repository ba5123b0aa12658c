/** A token for one byte, such as `<0xE2>`. */
const BYTE_TOKEN = /^<0x(?<hex>[0-9A-F]{2})>$/;
/** The prefix of a token that begins a word. */
const WORD_START = '\u2581';

/** The tokens of a speech model, by number. */
export class TokenTable {
  readonly #tokens: readonly Uint8Array[];

  /** @param bytes each token behind its length: one byte, or two from 128 up, low bits first. */
  constructor(bytes: Uint8Array) {
    const tokens: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; ) {
      const low = bytes[at++]!;
      const length = low < 128 ? low : low - 128 + bytes[at++]! * 128;
      tokens.push(bytes.subarray(at, at + length));
      at += length;
    }
    this.#tokens = tokens;
  }

  beginsWord(token: number): boolean {
    return this.#read([token]).startsWith(WORD_START);
  }

  text(tokens: readonly number[]): string {
    return this.#read(tokens).replaceAll(WORD_START, ' ').trim();
  }

  #read(tokens: readonly number[]): string {
    const parts = tokens.map((token) => {
      const bytes = this.#tokens[token] ?? new Uint8Array();
      const hex = BYTE_TOKEN.exec(new TextDecoder().decode(bytes))?.groups?.hex;
      return hex === undefined ? bytes : Uint8Array.of(Number.parseInt(hex, 16));
    });
    return new TextDecoder().decode(Buffer.concat(parts));
  }
}
