/** A box of an MP4 as read back: its place and its content, without the header. */
export interface ReadBox {
  readonly type: string;
  readonly start: number;
  readonly body: Buffer;
}

/** Boxes that hold nothing but boxes, after so many bytes of their own. */
const CONTAINERS: Readonly<Record<string, number>> = {
  moov: 0,
  trak: 0,
  edts: 0,
  tref: 0,
  mdia: 0,
  minf: 0,
  stbl: 0,
  udta: 0,
  meta: 4,
  ilst: 0,
  '\u00a9nam': 0,
  stsd: 8,
  avc1: 78,
  mp4a: 28,
};

/** The boxes side by side in `bytes`. */
export function boxesIn(bytes: Buffer): ReadBox[] {
  const boxes: ReadBox[] = [];
  for (let at = 0; at < bytes.length; ) {
    const short = bytes.readUInt32BE(at);
    const size = short === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : short;
    const type = bytes.toString('latin1', at + 4, at + 8);
    boxes.push({ type, start: at, body: bytes.subarray(at + (short === 1 ? 16 : 8), at + size) });
    at += size;
  }
  return boxes;
}

/** Every box at a path such as `moov/trak/tkhd`. */
export function boxesAt(bytes: Buffer, path: string): ReadBox[] {
  const [first, ...rest] = path.split('/');
  const here = boxesIn(bytes).filter(({ type }) => type === first);
  if (rest.length === 0) return here;
  return here.flatMap(({ body }) => boxesAt(body.subarray(CONTAINERS[first!] ?? 0), rest.join('/')));
}
