import { CENTRAL, END, END_64, IN_ZIP64, indexRecords, LOCAL, LOCATOR_64, localRecord } from './zip-records.ts';

/** The index is read at once: enough for a hundred thousand files. */
const MAX_INDEX_BYTES = 16 * 2 ** 20;

/** A file in an archive. */
export interface ZipEntry {
  /** With `/` between folders. */
  readonly path: string;
  readonly file: Blob;
}

/** The messages about archives that cannot be read. */
interface ZipTexts {
  readonly notZip: string;
  readonly compression: string;
  readonly moreThanDeclared: string;
  readonly damagedEntry: (path: string) => string;
  readonly entryTooLarge: (path: string, bytes: number, maxBytes: number) => string;
}

/** Writes files uncompressed. */
export async function writeZip(entries: readonly ZipEntry[]): Promise<Blob> {
  const parts: (Uint8Array<ArrayBuffer> | Blob)[] = [];
  const files: Parameters<typeof indexRecords>[0][number][] = [];
  let at = 0;
  for (const { path, file } of entries) {
    const placed = { path, bytes: file.size, crc: await crcOf(file), at };
    const local = localRecord(placed, placed.crc);
    files.push(placed);
    parts.push(local, file);
    at += local.length + file.size;
  }
  return new Blob([...parts, indexRecords(files, at, false)], { type: 'application/zip' });
}

/** A file of an archive, as the index describes it. */
export interface PackedFile {
  readonly path: string;
  /** The place of its local record. */
  readonly start: number;
  readonly packed: number;
  readonly size: number;
  /** 0: stored; 8: deflated. */
  readonly method: number;
  readonly crc: number;
}

/** The bytes of an archive. */
export interface ZipSource {
  readonly size: number;
  read(start: number, end: number): Promise<DataView>;
}

/** Unpacks a file of at most this many bytes, and verifies its checksum. */
type Unpack = (maxBytes: number) => Promise<Blob>;

/**
 * The files of an archive, by path. Each is unpacked on demand. Also reads deflated files, which other programs write.
 *
 * @throws RangeError with one of the texts.
 */
export async function readZip(archive: Blob, texts: ZipTexts): Promise<ReadonlyMap<string, Unpack>> {
  const read = (start: number, end: number) => viewOf(archive.slice(start, end));
  const index = await readIndex({ size: archive.size, read }, texts);
  return new Map(index.map((file) => [file.path, (maxBytes) => unpack(archive, file, maxBytes, texts)]));
}

/** The files of an archive, without folders. @throws RangeError */
export async function readIndex(source: ZipSource, texts: Pick<ZipTexts, 'notZip'>): Promise<PackedFile[]> {
  const { count, at: place, bytes } = await findIndex(source, texts);
  if (bytes > MAX_INDEX_BYTES) throw new RangeError(texts.notZip);
  const index = await source.read(place, place + bytes);
  const files: PackedFile[] = [];
  let at = 0;
  for (let i = 0; i < count && at + 46 <= index.byteLength && index.getUint32(at, true) === CENTRAL; i += 1) {
    const field = (offset: number) => index.getUint16(at + offset, true);
    const nameEnd = Math.min(index.byteLength, at + 46 + field(28));
    const [size, packed, start] = largeValues(index, nameEnd, field(30), [
      index.getUint32(at + 24, true),
      index.getUint32(at + 20, true),
      index.getUint32(at + 42, true),
    ]);
    const path = new TextDecoder().decode(new Uint8Array(index.buffer, index.byteOffset + at + 46, nameEnd - at - 46));
    const crc = index.getUint32(at + 16, true);
    if (!path.endsWith('/')) files.push({ path, start, packed, size, method: field(10), crc });
    at = at + 46 + field(28) + field(30) + field(32);
  }
  return files;
}

/** Where the content of a file starts; null if the archive is damaged. */
export async function contentPlace(source: ZipSource, { start }: PackedFile): Promise<number | null> {
  const head = await source.read(start, start + 30);
  if (head.byteLength < 30 || head.getUint32(0, true) !== LOCAL) return null;
  return start + 30 + head.getUint16(26, true) + head.getUint16(28, true);
}

async function findIndex(source: ZipSource, texts: Pick<ZipTexts, 'notZip'>) {
  const tail = await source.read(Math.max(0, source.size - 65_557), source.size);
  let end = tail.byteLength - 22;
  while (end >= 0 && tail.getUint32(end, true) !== END) end -= 1;
  if (end < 0) throw new RangeError(texts.notZip);
  const isLarge = end >= 20 && tail.getUint32(end - 20, true) === LOCATOR_64;
  if (!isLarge) {
    const [count, bytes] = [tail.getUint16(end + 10, true), tail.getUint32(end + 12, true)];
    return { count, bytes, at: tail.getUint32(end + 16, true) };
  }
  const place = Number(tail.getBigUint64(end - 12, true));
  const end64 = await source.read(place, place + 56);
  if (end64.byteLength < 56 || end64.getUint32(0, true) !== END_64) throw new RangeError(texts.notZip);
  const large = (offset: number) => Number(end64.getBigUint64(offset, true));
  return { count: large(32), bytes: large(40), at: large(48) };
}

/** The values of an entry; those that do not fit are in its ZIP64 field, in this order. */
function largeValues(
  index: DataView,
  extraAt: number,
  extraBytes: number,
  values: readonly [size: number, packed: number, start: number],
): [size: number, packed: number, start: number] {
  if (!values.includes(IN_ZIP64)) return [...values];
  for (let at = extraAt; at + 4 <= Math.min(index.byteLength, extraAt + extraBytes); ) {
    const [id, bytes] = [index.getUint16(at, true), index.getUint16(at + 2, true)];
    let from = at + 4;
    if (id === 1) {
      return values.map((value) => {
        if (value !== IN_ZIP64 || from + 8 > Math.min(index.byteLength, at + 4 + bytes)) return value;
        from += 8;
        return Number(index.getBigUint64(from - 8, true));
      }) as [number, number, number];
    }
    at += 4 + bytes;
  }
  return [...values];
}

async function unpack(archive: Blob, packed: PackedFile, maxBytes: number, texts: ZipTexts): Promise<Blob> {
  const { path, size } = packed;
  if (size > maxBytes) throw new RangeError(texts.entryTooLarge(path, size, maxBytes));
  const read = (start: number, end: number) => viewOf(archive.slice(start, end));
  const from = await contentPlace({ size: archive.size, read }, packed);
  if (from === null) throw new RangeError(texts.damagedEntry(path));
  const bytes = archive.slice(from, from + packed.packed);
  if (packed.method !== 0 && packed.method !== 8) throw new RangeError(texts.compression);
  const file = packed.method === 0 ? bytes : await inflate(bytes, size, texts);
  if (file.size !== size || (await crcOf(file)) !== packed.crc) throw new RangeError(texts.damagedEntry(path));
  return file;
}

/** Rejects a file that inflates to more than the archive declares. */
async function inflate(bytes: Blob, size: number, texts: ZipTexts): Promise<Blob> {
  const reader = bytes.stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const parts: (Uint8Array<ArrayBuffer> | Blob)[] = [];
  let length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.length;
    if (length > size) {
      await reader.cancel();
      throw new RangeError(texts.moreThanDeclared);
    }
    parts.push(part.value);
  }
  return new Blob(parts);
}

async function viewOf(blob: Blob): Promise<DataView> {
  return new DataView(await blob.arrayBuffer());
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let crc = n;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc >>> 0;
});

async function crcOf(file: Blob): Promise<number> {
  let crc = 0xffff_ffff;
  const reader = file.stream().getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    for (const byte of part.value) crc = (crc >>> 8) ^ CRC_TABLE[(crc ^ byte) & 0xff]!;
  }
  return (crc ^ 0xffff_ffff) >>> 0;
}
