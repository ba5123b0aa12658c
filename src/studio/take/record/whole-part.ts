/** The boxes of a fragmented MP4 that a reader needs: the header, then pairs of `moof` and `mdat`. */
const HEADER_BYTES = 16;

/**
 * How much of a recording that was broken off can be played: up to the end of its last whole fragment. A file that is no MP4 is taken as
 * it is; its readers go as far as it goes.
 */
export async function wholeBytes(file: Blob): Promise<number> {
  let whole = 0;
  let at = 0;
  while (at + 8 <= file.size) {
    const header = new DataView(await file.slice(at, at + HEADER_BYTES).arrayBuffer());
    const type = String.fromCharCode(...[4, 5, 6, 7].map((i) => header.getUint8(i)));
    if (at === 0 && type !== 'ftyp') return file.size;
    const short = header.getUint32(0);
    const length = short === 1 && header.byteLength === HEADER_BYTES ? Number(header.getBigUint64(8)) : short;
    if (length < 8 || at + length > file.size) break;
    at += length;
    // A moof without its mdat names samples that are not there.
    if (type !== 'moof') whole = at;
  }
  return whole;
}
