/**
 * The words of a dictionary in the data of ICU, anywhere within a program.
 *
 * Its data is a list of names and offsets (`CmnD`); a dictionary is a tree of letters, each encoded as a byte offset
 * from a base (`BytesTrie`, whose format ICU describes in bytestrie.h).
 */
export function icuDictionary(program: Buffer, name: string): string[] {
  const at = placeOf(program, `/brkitr/${name}.dict`);
  const indexes = at + program.readUInt16LE(at);
  const [tree, end] = [program.readInt32LE(indexes), program.readInt32LE(indexes + 4)];
  const transform = program.readInt32LE(indexes + 20);
  const isOffset = (transform & 0x7f000000) === 0x1000000;
  if (!isOffset) throw new Error(`${name} uses an encoding that this script does not know`);
  const words: string[] = [];
  new Tree(program.subarray(indexes + tree, indexes + end), transform & 0x1fffff, words).walk(0, '');
  return words;
}

/** A block of data, by the end of its name. */
function placeOf(program: Buffer, name: string): number {
  const header = program.indexOf('CmnD') - 12;
  const list = header + program.readUInt16LE(header);
  for (let entry = list + 4; entry < list + 4 + program.readUInt32LE(list) * 8; entry += 8) {
    const from = list + program.readUInt32LE(entry);
    if (program.toString('latin1', from, program.indexOf(0, from)).endsWith(name)) {
      return list + program.readUInt32LE(entry + 4);
    }
  }
  throw new Error(`this Node has no ${name}: it was built without all of ICU`);
}

class Tree {
  readonly #bytes: Buffer;
  readonly #base: number;
  readonly #words: string[];

  constructor(bytes: Buffer, base: number, words: string[]) {
    this.#bytes = bytes;
    this.#base = base;
    this.#words = words;
  }

  walk(from: number, begun: string): void {
    let word = begun;
    for (let at = from; ; ) {
      const lead = this.#bytes[at]!;
      at += 1;
      if (lead < 0x10) {
        const more = lead === 0 ? this.#bytes[at]! : lead;
        this.#branch(lead === 0 ? at + 1 : at, more + 1, word);
        return;
      }
      if (lead < 0x20) {
        for (const byte of this.#bytes.subarray(at, at + lead - 0xf)) word += this.#letter(byte);
        at += lead - 0xf;
        continue;
      }
      this.#words.push(word);
      if ((lead & 1) === 1) return;
      at = this.#number(at - 1).next;
    }
  }

  /** Halves, down to five at the most, which are in sequence. */
  #branch(from: number, count: number, word: string): void {
    let at = from;
    let left = count;
    while (left > 5) {
      const { value, next } = this.#jump(at + 1);
      this.#branch(next + value, left >> 1, word);
      left -= left >> 1;
      at = next;
    }
    for (; left > 1; left -= 1) {
      const letter = this.#letter(this.#bytes[at]!);
      const isLast = (this.#bytes[at + 1]! & 1) === 1;
      const { value, next } = this.#number(at + 1);
      if (isLast) this.#words.push(word + letter);
      else this.walk(next + value, word + letter);
      at = next;
    }
    this.walk(at + 1, word + this.#letter(this.#bytes[at]!));
  }

  /** A value of one to five bytes; the lowest bit of the first one is a flag. */
  #number(at: number): { value: number; next: number } {
    const lead = this.#bytes[at]! >> 1;
    const tail = (length: number) => (length === 0 ? 0 : this.#bytes.readUIntBE(at + 1, length));
    if (lead < 0x51) return { value: lead - 0x10, next: at + 1 };
    if (lead < 0x6c) return { value: ((lead - 0x51) << 8) + tail(1), next: at + 2 };
    if (lead < 0x7e) return { value: ((lead - 0x6c) << 16) + tail(2), next: at + 3 };
    return lead === 0x7e ? { value: tail(3), next: at + 4 } : { value: tail(4), next: at + 5 };
  }

  #jump(at: number): { value: number; next: number } {
    const lead = this.#bytes[at]!;
    const tail = (length: number) => this.#bytes.readUIntBE(at + 1, length);
    if (lead < 0xc0) return { value: lead, next: at + 1 };
    if (lead < 0xf0) return { value: ((lead - 0xc0) << 8) + tail(1), next: at + 2 };
    if (lead < 0xfe) return { value: ((lead - 0xf0) << 16) + tail(2), next: at + 3 };
    return lead === 0xfe ? { value: tail(3), next: at + 4 } : { value: tail(4), next: at + 5 };
  }

  #letter(byte: number): string {
    if (byte >= 0xfe) return byte === 0xfe ? '\u200c' : '\u200d';
    return String.fromCodePoint(this.#base + byte);
  }
}
