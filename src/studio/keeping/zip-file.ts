/**
 * ZIP archives for projects. Writes files uncompressed, since media do not compress. Also reads deflated files, which other programs
 * write. (APPNOTE 6.3)
 */
import * as texts from '../texts/en/zip-file.ts';

/** A file in an archive. */
export interface ZipEntry {
  /** With `/` between folders. */
  readonly path: string;
  readonly file: Blob;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const LARGEST = 0xffff_ffff;
const UTF8 = 1 << 11;
/** 1 January 1980, so that archives of the same files are identical. */
const DATE = 33;

/** @throws RangeError over 4 GiB, which needs ZIP64. */
export async function writeZip(entries: readonly ZipEntry[]): Promise<Blob> {
  const parts: (Uint8Array<ArrayBuffer> | Blob)[] = [];
  const index: Uint8Array<ArrayBuffer>[] = [];
  let at = 0;
  for (const { path, file } of entries) {
    const name = new TextEncoder().encode(path);
    const crc = await crcOf(file);
    const common = [20, UTF8, 0, 0, DATE] as const;
    const sizes = [crc, file.size, file.size] as const;
    const local = bytesOf([LOCAL, 4], ...two(...common), ...four(...sizes), ...two(name.length, 0));
    const central = bytesOf(
      [CENTRAL, 4],
      ...two(20, ...common),
      ...four(...sizes),
      ...two(name.length, 0, 0, 0, 0),
      ...four(0, at),
    );
    parts.push(local, name, file);
    index.push(central, name);
    at += local.length + name.length + file.size;
    if (at > LARGEST) throw new RangeError(texts.zipTooLarge);
  }
  const indexBytes = index.reduce((sum, part) => sum + part.length, 0);
  const end = bytesOf([END, 4], ...two(0, 0, entries.length, entries.length), ...four(indexBytes, at), ...two(0));
  return new Blob([...parts, ...index, end], { type: 'application/zip' });
}

/** Unpacks a file of at most this many bytes, and verifies its checksum. */
type Unpack = (maxBytes: number) => Promise<Blob>;

/** The files of an archive, by path. Each is unpacked on demand. */
export async function readZip(archive: Blob): Promise<ReadonlyMap<string, Unpack>> {
  const tail = await viewOf(archive.slice(Math.max(0, archive.size - 65_557)));
  let end = tail.byteLength - 22;
  while (end >= 0 && tail.getUint32(end, true) !== END) end -= 1;
  if (end < 0) throw new RangeError(texts.notZip);
  const count = tail.getUint16(end + 10, true);
  const index = await viewOf(
    archive.slice(tail.getUint32(end + 16, true), tail.getUint32(end + 16, true) + tail.getUint32(end + 12, true)),
  );
  const files = new Map<string, Unpack>();
  let at = 0;
  for (let i = 0; i < count && at + 46 <= index.byteLength && index.getUint32(at, true) === CENTRAL; i += 1) {
    const field = (offset: number) => index.getUint16(at + offset, true);
    const method = field(10);
    const crc = index.getUint32(at + 16, true);
    const packed = index.getUint32(at + 20, true);
    const size = index.getUint32(at + 24, true);
    const start = index.getUint32(at + 42, true);
    const nameEnd = Math.min(index.byteLength, at + 46 + field(28));
    const path = new TextDecoder().decode(new Uint8Array(index.buffer, index.byteOffset + at + 46, nameEnd - at - 46));
    if (!path.endsWith('/'))
      files.set(path, (maxBytes) => unpack(archive, { path, start, packed, size, method, crc }, maxBytes));
    at = at + 46 + field(28) + field(30) + field(32);
  }
  return files;
}

interface Packed {
  readonly path: string;
  readonly start: number;
  readonly packed: number;
  readonly size: number;
  readonly method: number;
  readonly crc: number;
}

async function unpack(archive: Blob, packed: Packed, maxBytes: number): Promise<Blob> {
  const { path, size } = packed;
  if (size > maxBytes) throw new RangeError(texts.entryTooLarge(path, size, maxBytes));
  const head = await viewOf(archive.slice(packed.start, packed.start + 30));
  if (head.byteLength < 30 || head.getUint32(0, true) !== LOCAL) throw damaged(path);
  const from = packed.start + 30 + head.getUint16(26, true) + head.getUint16(28, true);
  const bytes = archive.slice(from, from + packed.packed);
  if (packed.method !== 0 && packed.method !== 8) {
    throw new RangeError(texts.compression);
  }
  const file = packed.method === 0 ? bytes : await inflate(bytes, size);
  if (file.size !== size || (await crcOf(file)) !== packed.crc) throw damaged(path);
  return file;
}

function damaged(path: string): RangeError {
  return new RangeError(texts.damagedEntry(path));
}

/** Rejects a file that inflates to more than the archive declares. */
async function inflate(bytes: Blob, size: number): Promise<Blob> {
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

type Sized = readonly [value: number, bytes: 2 | 4];

function two(...values: readonly number[]): Sized[] {
  return values.map((value) => [value, 2] as const);
}

function four(...values: readonly number[]): Sized[] {
  return values.map((value) => [value, 4] as const);
}

function bytesOf(...fields: readonly Sized[]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(fields.reduce((sum, [, bytes]) => sum + bytes, 0)));
  let at = 0;
  for (const [value, bytes] of fields) {
    if (bytes === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += bytes;
  }
  return new Uint8Array(view.buffer);
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
