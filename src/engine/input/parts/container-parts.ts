import { nextPlace, type PartScanner } from './part-scanner.ts';

const OGG_PAGE_HEADER_BYTES = 27;
const BEGINS_STREAM = 2;

/** Ogg, page by page (RFC 3533): a part begins with the first pages of its streams. */
export function oggParts(): PartScanner {
  let beginning = false;
  return {
    step(bytes, at, position) {
      if (bytes.toString('latin1', at, at + 4) !== 'OggS' || at + OGG_PAGE_HEADER_BYTES > bytes.length) return null;
      const segments = bytes[at + 26]!;
      const table = bytes.subarray(at + OGG_PAGE_HEADER_BYTES, at + OGG_PAGE_HEADER_BYTES + segments);
      const length = table.reduce((sum, segment) => sum + segment, OGG_PAGE_HEADER_BYTES + segments);
      const wasBeginning = beginning;
      beginning = (bytes[at + 5]! & BEGINS_STREAM) !== 0;
      return beginning && !wasBeginning ? { length, part: position } : { length };
    },
    next: (bytes, at) => nextPlace('OggS', bytes, at),
  };
}

const FLV_HEADER_BYTES = 13;
const FLV_TAG_BYTES = 11;
const FLV_TAG_TYPES: ReadonlySet<number> = new Set([8, 9, 18]);

/** FLV, tag by tag. */
export function flvParts(): PartScanner {
  return {
    step(bytes, at, position) {
      if (isFlvHeader(bytes, at)) return { length: FLV_HEADER_BYTES, part: position };
      if (at + FLV_TAG_BYTES > bytes.length) return null;
      if (!FLV_TAG_TYPES.has(bytes[at]! & 0x1f) || bytes.readUIntBE(at + 8, 3) !== 0) return null;
      // Behind the tag its length follows once more.
      return { length: FLV_TAG_BYTES + bytes.readUIntBE(at + 1, 3) + 4 };
    },
    next: (bytes, at) => nextPlace('FLV\x01', bytes, at),
  };
}

/** Magic, which tracks there are, the header's length, and that of the tag before the first. */
function isFlvHeader(bytes: Buffer, at: number): boolean {
  if (bytes.toString('latin1', at, at + 4) !== 'FLV\x01' || at + FLV_HEADER_BYTES > bytes.length) return false;
  return (bytes[at + 4]! & 0xfa) === 0 && bytes.readUInt32BE(at + 5) === 9 && bytes.readUInt32BE(at + 9) === 0;
}

const EBML = 0x1a45dfa3;
const SEGMENT = 0x18538067;
const CLUSTER = 0x1f43b675;
const EBML_HEADER_REACH = 64;
/** All that follows each other in a file, in a segment or in a cluster. */
const ELEMENTS: ReadonlySet<number> = new Set([
  ...[EBML, SEGMENT, CLUSTER, 0x114d9b74, 0x1549a966, 0x1654ae6b, 0x1c53bb6b, 0x1043a770, 0x1941a469, 0x1254c367],
  ...[0xe7, 0xa3, 0xa0, 0xa7, 0xab, 0x5854, 0xaf, 0xec, 0xbf],
]);

/**
 * Matroska, element by element: a part begins with an EBML header. Elements with a size are skipped; a segment or a
 * cluster without one, as recorders write them, is entered.
 */
export function matroskaParts(): PartScanner {
  return {
    step(bytes, at, position) {
      const element = elementAt(bytes, at);
      if (element === null || !ELEMENTS.has(element.id)) return null;
      const { id, headerBytes, size } = element;
      if (size === null) return id === SEGMENT || id === CLUSTER ? { length: headerBytes } : null;
      const length = headerBytes + size;
      return id === EBML && namesMatroska(bytes, at) ? { length, part: position } : { length };
    },
    next: (bytes, at) => nextPlace('\x1a\x45\xdf\xa3', bytes, at),
  };
}

function namesMatroska(bytes: Buffer, at: number): boolean {
  return /webm|matroska/.test(bytes.toString('latin1', at, at + EBML_HEADER_REACH));
}

/** An element's header (RFC 8794); its size is null if it is unknown. */
function elementAt(bytes: Buffer, at: number): { id: number; headerBytes: number; size: number | null } | null {
  const idBytes = Math.clz32(bytes[at] ?? 0) - 23;
  const sizeAt = at + idBytes;
  const sizeBytes = Math.clz32(bytes[sizeAt] ?? 0) - 23;
  if (idBytes > 4 || sizeBytes > 8 || sizeAt + sizeBytes > bytes.length) return null;
  let size = bytes[sizeAt]! & (0xff >> sizeBytes);
  let unknown = size === 0xff >> sizeBytes;
  for (const byte of bytes.subarray(sizeAt + 1, sizeAt + sizeBytes)) {
    size = size * 256 + byte;
    unknown &&= byte === 0xff;
  }
  return { id: bytes.readUIntBE(at, idBytes), headerBytes: idBytes + sizeBytes, size: unknown ? null : size };
}

const FLAC_HEADER_BYTES = 42;

/** FLAC has no marks between its frames: the scanner looks for the magic and the block that must follow it. */
export function flacParts(): PartScanner {
  return {
    step(bytes, at, position) {
      if (bytes.toString('latin1', at, at + 4) !== 'fLaC' || at + FLAC_HEADER_BYTES > bytes.length) return null;
      const isStreamInfo = (bytes.readUInt32BE(at + 4) & 0x7fffffff) === FLAC_HEADER_BYTES - 8;
      return isStreamInfo ? { length: FLAC_HEADER_BYTES, part: position } : null;
    },
    next: (bytes, at) => nextPlace('fLaC', bytes, at),
  };
}
