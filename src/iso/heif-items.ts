import type { ByteReader } from './byte-reader.ts';
import { boxesWithin, type IsoBox, isoBoxes } from './iso-boxes.ts';

/** A part of an item's data: its range in the file. */
export interface HeifExtent {
  readonly start: number;
  readonly end: number;
}

/** A picture, a tile, a thumbnail, a block of Exif: everything in a HEIF file is an item (ISO 23008-12). */
export interface HeifItem {
  readonly id: number;
  /** Its type: `hvc1`, `av01`, `grid`, `Exif` … */
  readonly type: string;
  /** In the order in which they apply. */
  readonly properties: readonly IsoBox[];
  readonly extents: readonly HeifExtent[];
}

/** All items of a file. */
export interface HeifItems {
  readonly primary: HeifItem;
  readonly byId: ReadonlyMap<number, HeifItem>;
  /** From one item to others, by kind: `dimg` to tiles, `auxl` from an alpha to its picture, `prem` to its alpha. */
  readonly references: readonly HeifReference[];
}

interface HeifReference {
  readonly type: string;
  readonly from: number;
  readonly to: readonly number[];
}

/** A photograph of 48 megapixels has about 200 items; this bounds the work for a file. */
const MAX_ITEMS = 4_096;
const MAX_EXTENTS = 16_384;
const MAX_ASSOCIATIONS = 65_536;

/**
 * Reads the `meta` box. Everything is bounded and checked against the file's length; nothing is decoded.
 *
 * @throws RangeError if the box is inconsistent.
 */
export function readHeifItems(reader: ByteReader): HeifItems {
  const top = isoBoxes(reader, 0, reader.length);
  const meta = boxesWithin(reader, top, ['meta']);
  const box = (type: string) => meta.find((candidate) => candidate.type === type);
  const types = itemTypes(reader, box('iinf'));
  const extents = itemExtents(reader, box('iloc'), box('idat'));
  const properties = itemProperties(reader, meta);
  const byId = new Map(
    [...types].map(([id, type]): [number, HeifItem] => [
      id,
      { id, type, properties: properties.get(id) ?? [], extents: extents.get(id) ?? [] },
    ]),
  );
  const pitm = box('pitm');
  const primary = pitm === undefined ? undefined : byId.get(sized(reader, pitm.start + 4, version(reader, pitm) > 0));
  if (primary === undefined) throw new RangeError('no primary item');
  return { primary, byId, references: itemReferences(reader, box('iref')) };
}

/** Item ids and counts have 16 bits in a box's first version, 32 in later ones. */
function sized(reader: ByteReader, at: number, large: boolean): number {
  return large ? reader.u32(at) : reader.u16(at);
}

function version(reader: ByteReader, { start }: IsoBox): number {
  return reader.u8(start);
}

function bounded(count: number, max: number): number {
  if (count > max) throw new RangeError(`${count} entries; at most ${max} are allowed`);
  return count;
}

function itemTypes(reader: ByteReader, iinf: IsoBox | undefined): Map<number, string> {
  const types = new Map<number, string>();
  if (iinf === undefined) return types;
  const first = iinf.start + (version(reader, iinf) === 0 ? 6 : 8);
  for (const entry of isoBoxes(reader, first, iinf.end)) {
    const edition = version(reader, entry);
    if (entry.type !== 'infe' || edition < 2) continue;
    bounded(types.size + 1, MAX_ITEMS);
    const id = sized(reader, entry.start + 4, edition > 2);
    types.set(id, reader.tag(entry.start + (edition > 2 ? 10 : 8)));
  }
  return types;
}

const IN_FILE = 0;
const IN_IDAT = 1;

/** Data in other files, or put together from other items, is not followed. */
function itemExtents(
  reader: ByteReader,
  iloc: IsoBox | undefined,
  idat: IsoBox | undefined,
): Map<number, HeifExtent[]> {
  const found = new Map<number, HeifExtent[]>();
  if (iloc === undefined) return found;
  const edition = version(reader, iloc);
  const sizes = reader.u16(iloc.start + 4);
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  const indexBytes = edition === 0 ? 0 : sizes & 15;
  const large = edition === 2;
  let at = iloc.start + 6;
  const take = (bytes: number) => {
    at += bytes;
    return reader.uint(at - bytes, bytes);
  };
  const items = bounded(take(large ? 4 : 2), MAX_ITEMS);
  let count = 0;
  for (let item = 0; item < items; item += 1) {
    const id = take(large ? 4 : 2);
    const method = edition === 0 ? IN_FILE : take(2) & 15;
    const elsewhere = take(2) !== 0;
    const base = take(baseBytes);
    const extents: HeifExtent[] = [];
    const parts = take(2);
    count = bounded(count + parts, MAX_EXTENTS);
    for (let part = 0; part < parts; part += 1) {
      take(indexBytes);
      const [offset, length] = [base + take(offsetBytes), take(lengthBytes)];
      const within = method === IN_IDAT ? idat : { start: 0, end: reader.length };
      if (within === undefined) throw new RangeError('data in a box that is not there');
      const start = within.start + offset;
      extents.push({ start, end: length === 0 ? within.end : start + length });
    }
    if (!elsewhere && (method === IN_FILE || method === IN_IDAT)) found.set(id, extents);
  }
  return found;
}

function itemReferences(reader: ByteReader, iref: IsoBox | undefined): HeifReference[] {
  if (iref === undefined) return [];
  const large = version(reader, iref) > 0;
  const idBytes = large ? 4 : 2;
  let total = 0;
  return isoBoxes(reader, iref.start + 4, iref.end).map(({ type, start }) => {
    const count = reader.u16(start + idBytes);
    total = bounded(total + count, MAX_ASSOCIATIONS);
    const to = Array.from({ length: count }, (_, n) => sized(reader, start + idBytes + 2 + n * idBytes, large));
    return { type, from: sized(reader, start, large), to };
  });
}

function itemProperties(reader: ByteReader, meta: readonly IsoBox[]): Map<number, IsoBox[]> {
  const all = boxesWithin(reader, meta, ['iprp', 'ipco']);
  const found = new Map<number, IsoBox[]>();
  let total = 0;
  for (const box of boxesWithin(reader, meta, ['iprp'])) {
    if (box.type !== 'ipma') continue;
    const large = version(reader, box) > 0;
    const wide = (reader.u8(box.start + 3) & 1) === 1;
    let at = box.start + 8;
    const items = bounded(reader.u32(box.start + 4), MAX_ITEMS);
    for (let item = 0; item < items; item += 1) {
      const id = sized(reader, at, large);
      at += large ? 4 : 2;
      const count = reader.u8(at);
      at += 1;
      total = bounded(total + count, MAX_ASSOCIATIONS);
      const properties = found.get(id) ?? [];
      found.set(id, properties);
      for (let n = 0; n < count; n += 1) {
        // The highest bit marks a property that a reader must support to show the picture.
        const index = wide ? reader.u16(at) & 0x7fff : reader.u8(at) & 0x7f;
        at += wide ? 2 : 1;
        const property = all[index - 1];
        if (property !== undefined) properties.push(property);
      }
    }
  }
  return found;
}
