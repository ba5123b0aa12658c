import { isBmp } from '../../image-header/bmp-header.ts';
import { ByteReader } from '../../image-header/byte-reader.ts';
import { isAnimatedPng } from '../../image-header/png-header.ts';
import { isAnimatedWebp } from '../../image-header/webp-header.ts';

/** The kinds of file we take, as their first bytes tell them. Everything else is refused. */
export type MediaContainer =
  | 'mp4' // MOV and M4A too
  | 'matroska' // WebM too
  | 'mpegts'
  | 'avi'
  | 'flv'
  | 'mp3'
  | 'adts'
  | 'flac'
  | 'wav'
  | 'ogg'
  | 'aiff'
  | 'gif'
  | 'png'
  | 'apng'
  | 'jpeg'
  | 'webp'
  | 'webp_animation'
  | 'bmp'
  | 'avif';

/** How many leading bytes `sniffMedia` wants to see; fewer are fine where the file has no more. */
export const SNIFF_BYTES = 65_536;

/**
 * What a file is, by its first bytes alone: never by its name, which is the uploader's, and never by asking libavformat
 * to guess, which would try playlists and other formats that open further files.
 */
export function sniffMedia(head: Uint8Array): MediaContainer | null {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  return (
    sniffByMagic(bytes) ??
    (isTransportStream(bytes) ? 'mpegts' : null) ??
    (isIsoMedia(bytes) ? 'mp4' : null) ??
    sniffAudioFrames(bytes)
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

function sniffByMagic(bytes: Buffer): MediaContainer | null {
  const at = (offset: number, length: number) => bytes.toString('latin1', offset, offset + length);
  if (at(4, 4) === 'ftyp') return sniffBrand(at(8, 4));
  if (at(0, 4) === '\x1a\x45\xdf\xa3') return 'matroska';
  if (at(0, 4) === 'RIFF' || at(0, 4) === 'RF64') {
    if (at(8, 4) === 'AVI ') return 'avi';
    if (at(8, 4) === 'WAVE') return 'wav';
    if (at(8, 4) === 'WEBP') return isAnimatedWebp(new ByteReader(bytes)) ? 'webp_animation' : 'webp';
    return null;
  }
  if (at(0, 4) === 'FLV\x01') return 'flv';
  if (at(0, 4) === 'fLaC') return 'flac';
  if (at(0, 4) === 'OggS') return 'ogg';
  if (at(0, 4) === 'FORM' && (at(8, 4) === 'AIFF' || at(8, 4) === 'AIFC')) return 'aiff';
  if (at(0, 6) === 'GIF87a' || at(0, 6) === 'GIF89a') return 'gif';
  if (at(0, 8) === '\x89PNG\r\n\x1a\n') return isAnimatedPng(new ByteReader(bytes)) ? 'apng' : 'png';
  if (at(0, 3) === '\xff\xd8\xff') return 'jpeg';
  if (isBmp(new ByteReader(bytes))) return 'bmp';
  return null;
}

/** HEIC is refused: phones store it in tiles, which libavformat hands over one by one. */
function sniffBrand(brand: string): MediaContainer | null {
  if (brand === 'avif' || brand === 'avis') return 'avif';
  if (['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1', 'crx '].includes(brand)) return null;
  return 'mp4';
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

/** Raw MP3 or AAC: a frame header, and another one exactly where the first says the next frame begins. */
function sniffAudioFrames(bytes: Buffer): MediaContainer | null {
  const mp3 = mp3FrameLength(bytes, 0);
  if (mp3 !== null && mp3FrameLength(bytes, mp3) !== null) return 'mp3';
  const adts = adtsFrameLength(bytes, 0);
  if (adts !== null && adtsFrameLength(bytes, adts) !== null) return 'adts';
  return null;
}

const MP3_KBPS = {
  v1l1: [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  v1l2: [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  v1l3: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  v2l1: [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  v2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const;

/** The length of the MPEG audio frame (layers 1 to 3) at `at`, or null where none begins. */
function mp3FrameLength(bytes: Buffer, at: number): number | null {
  if (at + 4 > bytes.length || bytes[at] !== 0xff || (bytes[at + 1]! & 0xe0) !== 0xe0) return null;
  const version = (bytes[at + 1]! >> 3) & 3; // 0: MPEG 2.5, 2: MPEG 2, 3: MPEG 1
  const layer = 4 - ((bytes[at + 1]! >> 1) & 3);
  const rateIndex = (bytes[at + 2]! >> 2) & 3;
  const bitrateIndex = bytes[at + 2]! >> 4;
  if (version === 1 || layer === 4 || rateIndex === 3 || bitrateIndex === 0 || bitrateIndex === 15) return null;
  const first = version === 3;
  const table = layer === 1 ? (first ? 'v1l1' : 'v2l1') : first ? (layer === 2 ? 'v1l2' : 'v1l3') : 'v2';
  const bitsASecond = MP3_KBPS[table][bitrateIndex]! * 1000;
  const rate = [44_100, 48_000, 32_000][rateIndex]! / (first ? 1 : version === 2 ? 2 : 4);
  const padding = (bytes[at + 2]! >> 1) & 1;
  if (layer === 1) return (Math.floor((12 * bitsASecond) / rate) + padding) * 4;
  const samples = layer === 3 && !first ? 576 : 1152;
  return Math.floor((samples * bitsASecond) / 8 / rate) + padding;
}

/** The length of the ADTS frame at `at`, or null where none begins. */
function adtsFrameLength(bytes: Buffer, at: number): number | null {
  if (at + 7 > bytes.length || bytes[at] !== 0xff || (bytes[at + 1]! & 0xf6) !== 0xf0) return null;
  const length = ((bytes[at + 3]! & 3) << 11) | (bytes[at + 4]! << 3) | (bytes[at + 5]! >> 5);
  const rateIndex = (bytes[at + 2]! >> 2) & 15;
  return length >= 7 && rateIndex < 13 ? length : null;
}
