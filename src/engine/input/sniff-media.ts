import { heifBrand } from '../../image-header/heif-picture.ts';
import {
  isAnimatedPng,
  isAnimatedWebp,
  isBmp,
  type PictureMagic,
  pictureMagic,
} from '../../image-header/read-image-header.ts';
import { isSvg } from '../../image-header/svg-header.ts';
import { ByteReader } from '../../iso/byte-reader.ts';
import { MAX_GARBAGE_BYTES, sniffAudioFrames } from './audio-frames.ts';
import type { MediaContainer } from './media-containers.ts';

/** How many leading bytes `sniffMedia` needs; fewer if the file has no more. */
export const SNIFF_BYTES = MAX_GARBAGE_BYTES + 8192;

/**
 * Identifies a file by its first bytes alone: never by its name, which is the uploader's, and never by libavformat's
 * guess, which would try playlists and other formats that open further files.
 *
 * @param tagged whether an ID3 tag is in front of `head`.
 */
export function sniffMedia(head: Uint8Array, tagged = false): MediaContainer | null {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  return (
    sniffByMagic(bytes) ??
    (isTransportStream(bytes) ? 'mpegts' : null) ??
    (isIsoMedia(bytes) ? 'mp4' : null) ??
    (isProgramStream(bytes) ? 'mpegps' : null) ??
    (otherKind(bytes) === null ? sniffAudioFrames(bytes, tagged) : null)
  );
}

/** Kinds of file that people send and that are not accepted, by the bytes they begin with. */
const KNOWN: readonly (readonly [magic: string, what: string])[] = [
  ['%PDF', 'a PDF document'],
  ['PK\x03\x04', 'a ZIP archive, or an office document'],
  ['Rar!', 'a RAR archive'],
  ['7z\xbc\xaf\x27\x1c', 'a 7z archive'],
  ['\x1f\x8b', 'a gzip archive'],
  ['II+\0', 'a BigTIFF'],
  ['MM\0+', 'a BigTIFF'],
  ['\0\0\0\x0cjP  ', 'a JPEG 2000 picture'],
  ['\xff\x4f\xff\x51', 'a JPEG 2000 picture'],
  ['8BPS', 'a Photoshop document'],
  ['gimp xcf', 'a GIMP document'],
  ['v/1\x01', 'an OpenEXR picture'],
  ['qoif', 'a QOI picture'],
  ['DDS ', 'a DDS texture'],
  ['.RMF', 'RealMedia'],
  ['\x06\x0e\x2b\x34', 'MXF'],
  ['\0\0\x01\xb3', 'an MPEG video stream without a container'],
  ['caff', 'a Core Audio file'],
  ['MThd', 'a MIDI file'],
  ['MAC ', 'Monkey’s Audio'],
  ['TTA1', 'True Audio'],
  ['MP+', 'Musepack'],
  ['DSD ', 'DSD audio'],
  ['.snd', 'a Sun audio file'],
  ['dns.', 'a Sun audio file'],
  ['RIFX', 'a WAV file with its bytes in reverse order'],
  ['riff\x2e\x91\xcf\x11', 'a Wave64 file'],
  ['Creative Voice', 'a Creative Voice file'],
  ['NIST_1A', 'a NIST audio file'],
  ['MPCK', 'Musepack'],
  ['wOFF', 'a WOFF font'],
  ['#EXTM3U', 'a playlist'],
  ['{\\rtf', 'an RTF document'],
  ['MZ', 'a program'],
  ['\x7fELF', 'a program'],
];

/** The name of a kind of file that is not accepted, by its first bytes; null if they are of none that is known. */
export function otherKind(head: Buffer): string | null {
  const begins = head.toString('latin1', 0, 16);
  return KNOWN.find(([magic]) => begins.startsWith(magic))?.[1] ?? null;
}

/** The length of an ID3v2 tag in front of the file, 0 without one. What follows it is what the file is. */
export function id3Length(head: Uint8Array): number {
  const [i, d, three] = head;
  if (head.length < 10 || i !== 0x49 || d !== 0x44 || three !== 0x33) return 0;
  const size = ((head[6]! & 0x7f) << 21) | ((head[7]! & 0x7f) << 14) | ((head[8]! & 0x7f) << 7) | (head[9]! & 0x7f);
  const footer = (head[5]! & 0x10) !== 0 ? 10 : 0;
  return 10 + size + footer;
}

const ASF_HEADER = Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex').toString('latin1');

function sniffByMagic(bytes: Buffer): MediaContainer | null {
  const magic = pictureMagic(bytes);
  const picture = magic === null ? null : sniffPicture(magic, new ByteReader(bytes));
  if (picture !== null) return picture;
  const at = (offset: number, length: number) => bytes.toString('latin1', offset, offset + length);
  // Canon's raw photographs begin like films, but are not films.
  if (at(4, 4) === 'ftyp') return at(8, 4) === 'crx ' ? null : 'mp4';
  if (at(0, 4) === '\x1a\x45\xdf\xa3') return 'matroska';
  if (at(0, 4) === 'RIFF' || at(0, 4) === 'RF64') {
    if (at(8, 4) === 'AVI ') return 'avi';
    if (at(8, 4) === 'WAVE') return 'wav';
    return null;
  }
  if (at(0, 4) === 'FLV\x01') return 'flv';
  if (at(0, 4) === '\0\0\x01\xba') return 'mpegps';
  if (at(0, 16) === ASF_HEADER) return 'asf';
  if (at(0, 4) === 'wvpk') return 'wavpack';
  if (at(0, 6) === '#!AMR\n' || at(0, 9) === '#!AMR-WB\n') return 'amr';
  if (at(0, 4) === 'fLaC') return 'flac';
  if (at(0, 4) === 'OggS') return 'ogg';
  if (at(0, 4) === 'FORM' && (at(8, 4) === 'AIFF' || at(8, 4) === 'AIFC')) return 'aiff';
  if (isFont(bytes)) return 'font';
  return isSvg(new ByteReader(bytes)) ? 'svg' : null;
}

/** TrueType begins with a version, which is weak evidence: a directory of tables with a `cmap` must follow. */
function isFont(bytes: Buffer): boolean {
  const magic = bytes.toString('latin1', 0, 4);
  if (magic === 'wOF2') return true;
  if (magic !== '\x00\x01\x00\x00' && magic !== 'true' && magic !== 'OTTO') return false;
  if (bytes.length < 12) return false;
  const tables = Math.min(bytes.readUInt16BE(4), 64);
  const names = Array.from({ length: tables }, (_, table) =>
    bytes.toString('latin1', 12 + table * 16, 16 + table * 16),
  );
  return names.includes('cmap');
}

function sniffPicture(magic: PictureMagic, reader: ByteReader): MediaContainer | null {
  if (magic === 'png') return isAnimatedPng(reader) ? 'apng' : 'png';
  if (magic === 'webp') return isAnimatedWebp(reader) ? 'webp_animation' : 'webp';
  if (magic === 'bmp') return isBmp(reader) ? 'bmp' : null;
  if (magic !== 'heif') return magic;
  const brand = heifBrand(reader);
  if (brand === 'avis') return 'avif_animation';
  return brand === 'hevc' ? 'heic_animation' : brand;
}

/** QuickTime files older than `ftyp` begin with one of these atoms; segments of a stream with one of the last three. */
const FIRST_BOXES: ReadonlySet<string> = new Set([
  ...['moov', 'mdat', 'wide', 'free', 'skip', 'pnot'],
  ...['styp', 'sidx', 'moof'],
]);

function isIsoMedia(bytes: Buffer): boolean {
  if (bytes.length < 16) return false;
  return FIRST_BOXES.has(bytes.toString('latin1', 4, 8));
}

/** Packets in a row that are no coincidence. */
const PACKETS_IN_A_ROW = 3;

/** A program stream that was cut off in front: packets of picture or sound (ISO/IEC 13818-1, 2.5) that follow each other. */
function isProgramStream(bytes: Buffer): boolean {
  const last = Math.min(bytes.length, MAX_GARBAGE_BYTES);
  for (let at = bytes.indexOf(START_CODE); at !== -1 && at < last; at = bytes.indexOf(START_CODE, at + 1)) {
    if (programPacketsAt(bytes, at) >= PACKETS_IN_A_ROW) return true;
  }
  return false;
}

const START_CODE = Buffer.from([0, 0, 1]);
/** The header of a pack has this length, and stuffing. */
const PACK_BYTES = 14;

/** Between two packets there is at most one header of a pack. */
const MAX_STEPS = 2 * PACKETS_IN_A_ROW;

/** How many packets follow each other from `first` on, up to as many as are enough. */
function programPacketsAt(bytes: Buffer, first: number): number {
  let packets = 0;
  for (let at = first, steps = 0; packets < PACKETS_IN_A_ROW && steps < MAX_STEPS; steps++) {
    if (at + PACK_BYTES > bytes.length || bytes.readUIntBE(at, 3) !== 1) return packets;
    const kind = bytes[at + 3]!;
    if (kind === 0xba) {
      at += (bytes[at + 4]! & 0xc0) === 0x40 ? PACK_BYTES + (bytes[at + 13]! & 7) : 12;
      continue;
    }
    // System headers, private streams, padding, sound and picture.
    if (kind < 0xbb || kind > 0xef) return packets;
    packets += 1;
    at += 6 + bytes.readUInt16BE(at + 4);
  }
  return packets;
}

/** Sync bytes at three packets in a row, in 188-byte packets or in 192-byte ones with a time code before each. */
function isTransportStream(bytes: Buffer): boolean {
  const synced = (first: number, size: number) => [0, 1, 2].every((n) => bytes[first + n * size] === 0x47);
  return synced(0, 188) || synced(4, 192);
}
