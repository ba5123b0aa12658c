import { ExportError } from '../errors.ts';
import type { ByteReader } from '../iso/byte-reader.ts';
import { type HeifExtent, type HeifItem, type HeifItems, readHeifItems } from '../iso/heif-items.ts';
import { boxesWithin, type IsoBox, isoBoxes } from '../iso/iso-boxes.ts';
import type { ImageHeader, PixelSize } from './image-header.ts';

/** One coded picture of a HEIF file: its decoder configuration and the position of its data. */
export interface HeifTile extends PixelSize {
  readonly codec: 'hevc' | 'av1';
  /** The content of `hvcC` or `av1C`. */
  readonly config: HeifExtent;
  readonly extents: readonly HeifExtent[];
}

/** Tiles, row by row, that make one picture; the parts beyond its right and lower edges are cut off. */
export interface HeifTiles extends PixelSize {
  readonly columns: number;
  readonly tiles: readonly HeifTile[];
}

/** The picture a HEIF file is about, as it is to be put together and shown. */
export interface HeifPicture extends HeifTiles {
  /** The visible part of it. */
  readonly crop: PixelSize & { readonly x: number; readonly y: number };
  /** Mirrored left to right first if `mirrored`, then turned clockwise. Exif is ignored in this format. */
  readonly quarterTurns: 0 | 1 | 2 | 3;
  readonly mirrored: boolean;
  /** Numbers of ISO 23091-2; null if the coded pictures have their own. */
  readonly color: HeifColor | null;
  readonly icc: HeifExtent | null;
  readonly alpha: HeifTiles | null;
}

interface HeifColor {
  readonly primaries: number;
  readonly transfer: number;
  readonly matrix: number;
  readonly fullRange: boolean;
}

/** More tiles than a picture within any sane limit has: those of phones are 512 pixels a side. */
const MAX_TILES = 2_048;

/**
 * @throws RangeError if the file is inconsistent, or holds an unsupported kind of picture (`iovl`, or codecs other than
 * HEVC and AV1).
 */
export function readHeifPicture(reader: ByteReader): HeifPicture {
  const items = readHeifItems(reader);
  const { primary } = items;
  const tiles = tilesOf(reader, items, primary);
  const properties = [...primary.properties, ...(items.byId.get(firstTile(items, primary))?.properties ?? [])];
  return {
    ...tiles,
    ...transforms(reader, primary.properties, tiles),
    color: nclxOf(reader, properties),
    icc: iccOf(reader, properties),
    alpha: alphaOf(reader, items, tiles),
  };
}

function referred(items: HeifItems, type: string, from: number): readonly number[] {
  return items.references.find((reference) => reference.type === type && reference.from === from)?.to ?? [];
}

function firstTile(items: HeifItems, { id }: HeifItem): number {
  return referred(items, 'dimg', id)[0] ?? id;
}

function tilesOf(reader: ByteReader, items: HeifItems, item: HeifItem): HeifTiles {
  if (item.type === 'iden') {
    const same = items.byId.get(firstTile(items, item));
    if (same === undefined || same.type === 'iden') throw new RangeError('a picture without the one it is made of');
    return tilesOf(reader, items, same);
  }
  if (item.type !== 'grid') {
    const tile = tileOf(reader, item);
    return { width: tile.width, height: tile.height, columns: 1, tiles: [tile] };
  }
  const { rows, columns, width, height } = gridOf(reader, item);
  const ids = referred(items, 'dimg', item.id);
  if (rows * columns > MAX_TILES || ids.length !== rows * columns) throw new RangeError('a grid without its tiles');
  const known = new Map<number, HeifTile>();
  const tiles = ids.map((id) => {
    const tile = known.get(id) ?? tileOf(reader, items.byId.get(id));
    known.set(id, tile);
    return tile;
  });
  const first = tiles[0]!;
  const even = tiles.every((tile) => tile.width === first.width && tile.height === first.height);
  const covers = (size: number, side: number, count: number) => size > side * (count - 1) && size <= side * count;
  if (!even || !covers(width, first.width, columns) || !covers(height, first.height, rows)) {
    throw new RangeError('tiles that do not make up their picture');
  }
  return { width, height, columns, tiles };
}

const CODECS: Readonly<Record<string, { readonly codec: HeifTile['codec']; readonly config: string }>> = {
  hvc1: { codec: 'hevc', config: 'hvcC' },
  av01: { codec: 'av1', config: 'av1C' },
};

/** What other kinds of pictures are. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ['iovl', 'that lays several pictures over each other'],
  ['lhv1', 'in layers'],
  ['avc1', 'with H.264'],
  ['jpeg', 'with JPEG'],
  ['j2k1', 'with JPEG 2000'],
  ['vvc1', 'with H.266'],
  ['unci', 'without compression'],
]);

function tileOf(reader: ByteReader, item: HeifItem | undefined): HeifTile {
  const known = item && CODECS[item.type];
  if (item === undefined) throw new RangeError('a picture that is not there');
  if (known === undefined) {
    const kind = KINDS.get(item.type);
    if (kind === undefined) throw new RangeError(`a picture of the kind ${item.type}`);
    throw new ExportError(
      'unsupported',
      'media.unsupported',
      `The file is a HEIF picture ${kind}, which is not accepted.`,
    );
  }
  const config = property(item, known.config);
  const size = property(item, 'ispe');
  if (config === undefined || size === undefined) throw new RangeError('a picture without its size or its set-up');
  const [width, height] = [reader.u32(size.start + 4), reader.u32(size.start + 8)];
  if (width === 0 || height === 0) throw new RangeError('a picture without pixels');
  return { codec: known.codec, config, extents: item.extents, width, height };
}

function property({ properties }: HeifItem, type: string): IsoBox | undefined {
  return properties.find((candidate) => candidate.type === type);
}

/** How a grid is laid out: a version, flags, rows and columns less one, and the size of the whole. */
function gridOf(reader: ByteReader, { extents }: HeifItem): PixelSize & { rows: number; columns: number } {
  const at = extents[0]?.start;
  if (at === undefined) throw new RangeError('a grid without data');
  const bytes = (reader.u8(at + 1) & 1) === 1 ? 4 : 2;
  return {
    rows: reader.u8(at + 2) + 1,
    columns: reader.u8(at + 3) + 1,
    width: reader.uint(at + 4, bytes),
    height: reader.uint(at + 4 + bytes, bytes),
  };
}

/** Names of the auxiliary picture that is an alpha channel, in HEIC and in everything later. */
const ALPHA_NAMES = ['urn:mpeg:hevc:2015:auxid:1', 'urn:mpeg:mpegB:cicp:systems:auxiliary:alpha'];

/** An alpha channel of another size than its picture is left out. */
function alphaOf(reader: ByteReader, items: HeifItems, { width, height }: PixelSize): HeifTiles | null {
  const { id } = items.primary;
  for (const { type, from, to } of items.references) {
    const item = items.byId.get(from);
    if (type !== 'auxl' || !to.includes(id) || item === undefined) continue;
    const kind = property(item, 'auxC');
    if (kind === undefined || !ALPHA_NAMES.some((name) => reader.startsWith(`${name}\0`, kind.start + 4))) continue;
    const alpha = tilesOf(reader, items, item);
    if (alpha.width === width && alpha.height === height) return alpha;
  }
  return null;
}

type Transforms = Pick<HeifPicture, 'crop' | 'quarterTurns' | 'mirrored'>;

/** Properties apply in the order in which they are named; a crop comes before turning, or it is ignored. */
function transforms(reader: ByteReader, properties: readonly IsoBox[], size: PixelSize): Transforms {
  let crop: Transforms['crop'] = { x: 0, y: 0, width: size.width, height: size.height };
  let turns = 0;
  let mirrored = false;
  for (const { type, start } of properties) {
    if (type === 'clap' && turns === 0 && !mirrored) crop = cleanAperture(reader, start, size) ?? crop;
    // `irot` turns counter-clockwise; turning and then mirroring equals mirroring and then turning back.
    if (type === 'irot') turns -= reader.u8(start) & 3;
    if (type === 'imir') {
      const leftToRight = (reader.u8(start) & 1) === 1;
      turns = leftToRight ? -turns : 2 - turns;
      mirrored = !mirrored;
    }
  }
  return { crop, quarterTurns: (((turns % 4) + 4) % 4) as Transforms['quarterTurns'], mirrored };
}

/** ISO 14496-12, 12.1.4: size and offset of the centre as fractions. Null if it is not within the picture. */
function cleanAperture(reader: ByteReader, at: number, size: PixelSize): Transforms['crop'] | null {
  const fraction = (n: number) => reader.i32(at + n * 8) / reader.i32(at + n * 8 + 4);
  const [width, height] = [Math.round(fraction(0)), Math.round(fraction(1))];
  const x = Math.round((size.width - width) / 2 + fraction(2));
  const y = Math.round((size.height - height) / 2 + fraction(3));
  const inside = width > 0 && height > 0 && x >= 0 && y >= 0 && x + width <= size.width && y + height <= size.height;
  return inside ? { x, y, width, height } : null;
}

function nclxOf(reader: ByteReader, properties: readonly IsoBox[]): HeifColor | null {
  const box = properties.find(({ type, start }) => type === 'colr' && reader.startsWith('nclx', start));
  if (box === undefined) return null;
  const [primaries, transfer, matrix] = [4, 6, 8].map((at) => reader.u16(box.start + at)) as [number, number, number];
  return { primaries, transfer, matrix, fullRange: reader.u8(box.start + 10) >> 7 === 1 };
}

function iccOf(reader: ByteReader, properties: readonly IsoBox[]): HeifExtent | null {
  const isProfile = ({ type, start }: IsoBox) =>
    type === 'colr' && (reader.startsWith('prof', start) || reader.startsWith('rICC', start));
  const box = properties.find(isProfile);
  return box === undefined ? null : { start: box.start + 4, end: box.end };
}

/** The kind of a picture file that begins with `ftyp`: `avis` and `hevc` are sequences of pictures, as in a film. */
type HeifBrand = 'avif' | 'avis' | 'heic' | 'hevc';

/** Brands a HEIF file may put first. */
const FIRST: ReadonlySet<string> = new Set([
  ...['avif', 'avis', 'heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'mif2', 'msf1', 'miaf'],
]);
/** Brands of sequences, and those of a file that has a single picture as well. */
const SEQUENCES: ReadonlySet<string> = new Set(['msf1', 'hevc', 'hevx']);
const SINGLES: ReadonlySet<string> = new Set(['heic', 'heix', 'heim', 'heis', 'mif1', 'mif2', 'miaf']);
/** More than anyone lists. */
const MAX_BRANDS = 64;

/** False for films and for anything else that begins the same way, such as Canon's raw photographs. */
export function isHeif(reader: ByteReader): boolean {
  return reader.startsWith('ftyp', 4) && reader.length >= 12 && FIRST.has(reader.tag(8));
}

/** Null if it is not a picture, or is cut off before its brand. */
export function heifBrand(reader: ByteReader): HeifBrand | null {
  if (!isHeif(reader) || reader.length < 16) return null;
  const end = Math.min(reader.u32(0), reader.length, 8 + MAX_BRANDS * 4);
  const brands = [reader.tag(8)];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(reader.tag(at));
  if (brands.includes('avis')) return 'avis';
  if (brands.includes('avif')) return 'avif';
  return SEQUENCES.has(brands[0]!) && !brands.some((name) => SINGLES.has(name)) ? 'hevc' : 'heic';
}

/**
 * HEIC and AVIF: sizes are properties of items in the `meta` box (ISO 23008-12). Tiles, thumbnails and alpha have their
 * own; the largest counts, since a decoder may allocate that much.
 */
export function readHeif(reader: ByteReader): ImageHeader {
  const brand = heifBrand(reader);
  if (brand === null) {
    throw new ExportError(
      'unsupported',
      'paint.image_format',
      'The file is a video or a picture of a kind that is not accepted. Use a picture such as HEIC, AVIF, JPEG or PNG.',
    );
  }
  const top = isoBoxes(reader, 0, reader.length);
  let width = 0;
  let height = 0;
  let turned = false;
  for (const property of boxesWithin(reader, top, ['meta', 'iprp', 'ipco'])) {
    if (property.type === 'ispe') {
      width = Math.max(width, reader.u32(property.start + 4));
      height = Math.max(height, reader.u32(property.start + 8));
    }
    if (property.type === 'irot') turned = (reader.u8(property.start) & 1) === 1;
  }
  // A sequence has tracks instead, whose headers end with their size in 16.16.
  for (const { type, end } of boxesWithin(reader, top, ['moov', 'trak'])) {
    if (type !== 'tkhd' || brand !== 'hevc') continue;
    width = Math.max(width, reader.u16(end - 8));
    height = Math.max(height, reader.u16(end - 4));
  }
  if (width === 0) throw new RangeError('a picture without a size');
  let frames = 1;
  for (const { type, start } of boxesWithin(reader, top, ['moov', 'trak', 'mdia', 'minf', 'stbl'])) {
    if (type === 'stsz') frames = Math.max(frames, reader.u32(start + 8));
  }
  const format = brand === 'heic' || brand === 'hevc' ? 'heic' : 'avif';
  return { format, width: turned ? height : width, height: turned ? width : height, frames };
}
