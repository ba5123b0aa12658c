/**
 * The records of ZIP archives (APPNOTE 6.3). Files are not compressed, because media do not compress. Sizes and places
 * over 4 GiB, and more than 65,534 files, use ZIP64.
 */

export const LOCAL = 0x04034b50;
export const CENTRAL = 0x02014b50;
export const END = 0x06054b50;
export const END_64 = 0x06064b50;
export const LOCATOR_64 = 0x07064b50;
const DESCRIPTOR = 0x08074b50;
/** The value of a field whose real value is in the ZIP64 part. */
export const IN_ZIP64 = 0xffff_ffff;
const MANY = 0xffff;
const UTF8 = 1 << 11;
/** The checksum follows the content. */
const LATER = 1 << 3;
/** 1 January 1980, so that archives of the same files are identical. */
const DATE = 33;
const [VERSION, VERSION_64] = [20, 45];

type Bytes = Uint8Array<ArrayBuffer>;

/** A file of an archive. */
export interface ZipFile {
  /** With `/` between folders. */
  readonly path: string;
  readonly bytes: number;
}

/** A file in its place. */
export interface PlacedFile extends ZipFile {
  readonly crc: number;
  /** The place of its local record. */
  readonly at: number;
}

/** The record before the content. null: the checksum follows in a descriptor. */
export function localRecord({ path, bytes }: ZipFile, crc: number | null): Bytes {
  const name = new TextEncoder().encode(path);
  const isLarge = bytes >= IN_ZIP64;
  const size = crc === null ? 0 : bytes;
  const extra = isLarge ? record(...two(1, 16), ...eight(size, size)) : new Uint8Array();
  const shown = isLarge ? IN_ZIP64 : size;
  const head = record(
    ...four(LOCAL),
    ...two(isLarge ? VERSION_64 : VERSION, UTF8 | (crc === null ? LATER : 0), 0, 0, DATE),
    ...four(crc ?? 0, shown, shown),
    ...two(name.length, extra.length),
  );
  return joined(head, name, extra);
}

/** The record after the content, if its checksum was not known before. */
export function descriptor({ bytes }: ZipFile, crc: number): Bytes {
  const sizes = bytes >= IN_ZIP64 ? eight(bytes, bytes) : four(bytes, bytes);
  return record(...four(DESCRIPTOR, crc), ...sizes);
}

/** The index at the end of an archive; it starts at `at`. */
export function indexRecords(files: readonly PlacedFile[], at: number, isStreamed: boolean): Bytes {
  const index = joined(...files.map((file) => centralRecord(file, isStreamed)));
  const isLarge = files.length >= MANY || at >= IN_ZIP64 || index.length >= IN_ZIP64;
  const count = isLarge ? MANY : files.length;
  const end = record(
    ...four(END),
    ...two(0, 0, count, count),
    ...four(isLarge ? IN_ZIP64 : index.length, isLarge ? IN_ZIP64 : at),
    ...two(0),
  );
  if (!isLarge) return joined(index, end);
  const end64 = record(
    ...four(END_64),
    ...eight(44),
    ...two(VERSION_64, VERSION_64),
    ...four(0, 0),
    ...eight(files.length, files.length, index.length, at),
  );
  const locator = record(...four(LOCATOR_64, 0), ...eight(at + index.length), ...four(1));
  return joined(index, end64, locator, end);
}

function centralRecord({ path, bytes, crc, at }: PlacedFile, isStreamed: boolean): Bytes {
  const name = new TextEncoder().encode(path);
  const [isLarge, isFar] = [bytes >= IN_ZIP64, at >= IN_ZIP64];
  const far = [...(isLarge ? [bytes, bytes] : []), ...(isFar ? [at] : [])];
  const extra = far.length > 0 ? record(...two(1, far.length * 8), ...eight(...far)) : new Uint8Array();
  const version = far.length > 0 ? VERSION_64 : VERSION;
  const size = isLarge ? IN_ZIP64 : bytes;
  const head = record(
    ...four(CENTRAL),
    ...two(version, version, UTF8 | (isStreamed ? LATER : 0), 0, 0, DATE),
    ...four(crc, size, size),
    ...two(name.length, extra.length, 0, 0, 0),
    ...four(0, isFar ? IN_ZIP64 : at),
  );
  return joined(head, name, extra);
}

type Sized = readonly [value: number, bytes: 2 | 4 | 8];

function two(...values: readonly number[]): Sized[] {
  return values.map((value) => [value, 2] as const);
}

function four(...values: readonly number[]): Sized[] {
  return values.map((value) => [value, 4] as const);
}

function eight(...values: readonly number[]): Sized[] {
  return values.map((value) => [value, 8] as const);
}

function record(...fields: readonly Sized[]): Bytes {
  const view = new DataView(new ArrayBuffer(fields.reduce((sum, [, bytes]) => sum + bytes, 0)));
  let at = 0;
  for (const [value, bytes] of fields) {
    if (bytes === 2) view.setUint16(at, value, true);
    else if (bytes === 4) view.setUint32(at, value, true);
    else view.setBigUint64(at, BigInt(value), true);
    at += bytes;
  }
  return new Uint8Array(view.buffer);
}

function joined(...parts: readonly Bytes[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
