/** Size of the largest box header. */
const HEADER_BYTES = 16;

/**
 * How much of an interrupted recording can be played: up to the end of its last whole fragment, or nothing without one. A file that is
 * not an MP4 counts as whole; its readers stop at its end.
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
    // A `moof` without its `mdat` refers to missing samples. An index may follow the fragments.
    if (type === 'mdat' || (whole > 0 && type !== 'moof')) whole = at;
  }
  return whole;
}
