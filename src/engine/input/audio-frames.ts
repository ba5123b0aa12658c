/** The most bytes, besides zeros, in front of the first whole frame. libavformat searches as far. */
export const MAX_GARBAGE_BYTES = 65_536;

/** After the beginning, this many frames in a row are not a coincidence. */
const FRAMES_IN_A_ROW = 3;

/**
 * Raw MP3, AAC or AC-3: a frame header, and another one exactly at the end that the first declares. In front of MP3
 * there may be zeros, the rest of a torn frame or other garbage, which decoders skip as well.
 *
 * @param tagged whether an ID3 tag is in front of `bytes`.
 */
export function sniffAudioFrames(bytes: Buffer, tagged: boolean): 'mp3' | 'adts' | 'ac3' | 'eac3' | null {
  if (isMp3(bytes)) return 'mp3';
  const adts = adtsFrameLength(bytes, 0);
  if (adts !== null && adtsFrameLength(bytes, adts) !== null) return 'adts';
  const ac3 = ac3Frame(bytes, 0);
  if (ac3 !== null && ac3Frame(bytes, ac3.length)?.kind === ac3.kind) return ac3.kind;
  return hasFramesFurtherIn(bytes, tagged) ? 'mp3' : null;
}

/** Two frames of one kind, or one that is all of the file. */
function isMp3(bytes: Buffer): boolean {
  const { lengthAt, kindAt } = MP3_FRAMES;
  const length = lengthAt(bytes, 0);
  if (length === null) return false;
  if (length === bytes.length) return true;
  return lengthAt(bytes, length) !== null && kindAt(bytes, length) === kindAt(bytes, 0);
}

function hasFramesFurtherIn(bytes: Buffer, tagged: boolean): boolean {
  const filled = bytes.findIndex((byte) => byte !== 0);
  // 00 00 01 begins MPEG program and video streams, which hold such frames without being them.
  if (filled === -1 || (!tagged && filled === 2 && bytes[2] === 1)) return false;
  const last = filled + MAX_GARBAGE_BYTES;
  for (let at = bytes.indexOf(0xff, filled); at !== -1 && at < last; at = bytes.indexOf(0xff, at + 1)) {
    if (framesInARow(MP3_FRAMES, bytes, at)) return true;
  }
  return false;
}

/** How to recognise the frames of raw sound. */
export interface AudioFrameSyntax {
  /** The length of the frame at `at`, or null if none begins. */
  readonly lengthAt: (bytes: Buffer, at: number) => number | null;
  /** Constant within a file. */
  readonly kindAt: (bytes: Buffer, at: number) => number;
}

/** Kind: version, layer and sampling rate. */
export const MP3_FRAMES: AudioFrameSyntax = {
  lengthAt: mp3FrameLength,
  kindAt: (bytes, at) => bytes.readUInt16BE(at + 1) & 0xfe0c,
};

/** Kind: version, profile, sampling rate and channels. */
export const ADTS_FRAMES: AudioFrameSyntax = {
  lengthAt: adtsFrameLength,
  kindAt: (bytes, at) => bytes.readUIntBE(at + 1, 3) & 0xfefdc0,
};

/** Whether frames of one kind follow each other from `first` on, as far as there are bytes. */
export function framesInARow({ lengthAt, kindAt }: AudioFrameSyntax, bytes: Buffer, first: number): boolean {
  let at = first;
  for (let frames = 0; frames < FRAMES_IN_A_ROW; frames++) {
    const length = lengthAt(bytes, at);
    if (length === null || kindAt(bytes, first) !== kindAt(bytes, at)) return frames === 2 && at + 4 > bytes.length;
    at += length;
  }
  return true;
}

const MP3_KBPS = {
  v1l1: [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  v1l2: [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  v1l3: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  v2l1: [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  v2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const;

/** The length of the MPEG audio frame (layers 1 to 3) at `at`, or null if none begins. */
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

/** The length of the ADTS frame at `at`, or null if none begins. */
function adtsFrameLength(bytes: Buffer, at: number): number | null {
  if (at + 7 > bytes.length || bytes[at] !== 0xff || (bytes[at + 1]! & 0xf6) !== 0xf0) return null;
  const length = ((bytes[at + 3]! & 3) << 11) | (bytes[at + 4]! << 3) | (bytes[at + 5]! >> 5);
  const rateIndex = (bytes[at + 2]! >> 2) & 15;
  return length >= 7 && rateIndex < 13 ? length : null;
}

const AC3_KBPS = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640];
/** Up to here the bit stream is AC-3, up to the other E-AC-3. */
const [AC3_VERSION, EAC3_VERSION] = [10, 16];

/** The AC-3 or E-AC-3 frame at `at`, or null if none begins. */
function ac3Frame(bytes: Buffer, at: number): { kind: 'ac3' | 'eac3'; length: number } | null {
  if (at + 6 > bytes.length || bytes.readUInt16BE(at) !== 0x0b77) return null;
  const version = bytes[at + 5]! >> 3;
  if (version > EAC3_VERSION) return null;
  if (version > AC3_VERSION) return { kind: 'eac3', length: ((bytes.readUInt16BE(at + 2) & 0x7ff) + 1) * 2 };
  const rate = [48_000, 44_100, 32_000][bytes[at + 4]! >> 6];
  const code = bytes[at + 4]! & 63;
  const kbps = AC3_KBPS[code >> 1];
  if (rate === undefined || kbps === undefined) return null;
  const words = Math.floor((kbps * 1000 * 1536) / rate / 16) + (rate === 44_100 ? code & 1 : 0);
  return { kind: 'ac3', length: words * 2 };
}
