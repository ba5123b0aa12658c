import { isBmp } from '../../image-header/bmp-header.ts';
import { heifBrand } from '../../image-header/heif-header.ts';
import { type PictureMagic, pictureMagic } from '../../image-header/picture-magic.ts';
import { isAnimatedPng } from '../../image-header/png-header.ts';
import { isSvg } from '../../image-header/svg-header.ts';
import { isAnimatedWebp } from '../../image-header/webp-header.ts';
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
    sniffAudioFrames(bytes, tagged)
  );
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
  return brand === 'avis' ? 'avif_animation' : brand;
}

/** QuickTime files older than `ftyp` begin with one of these atoms. */
function isIsoMedia(bytes: Buffer): boolean {
  if (bytes.length < 16) return false;
  return ['moov', 'mdat', 'wide', 'free', 'skip', 'pnot'].includes(bytes.toString('latin1', 4, 8));
}

/** Sync bytes at three packets in a row, in 188-byte packets or in 192-byte ones with a time code before each. */
function isTransportStream(bytes: Buffer): boolean {
  const synced = (first: number, size: number) => [0, 1, 2].every((n) => bytes[first + n * size] === 0x47);
  return synced(0, 188) || synced(4, 192);
}
