/** The part of an MP3 that is the recording; the rest is the encoder's and the decoder's. In seconds of the file's clock. */
interface Mp3Trim {
  readonly start: number;
  /** null: up to the end. */
  readonly end: number | null;
}

const HEAD_BYTES = 8192;
const ID3_BYTES = 10;
/** Samples that every MP3 decoder is late. */
const DECODER_DELAY = 529;
const RATES = [44_100, 48_000, 32_000] as const;
/** Where the tag is in its frame, by the version (MPEG-1 or later) and the channels. */
const TAG_AT = { first: { mono: 21, stereo: 36 }, later: { mono: 13, stereo: 21 } } as const;
/** Encoders that declare their delay and padding, as libavformat knows them. */
const ENCODER = /^(?:LAME|Lavf|Lavc)$/;

/** What the encoder declared in the first frame (Xing or Info), by the rules of libavformat; null if nothing. */
export async function mp3Trim(file: Blob): Promise<Mp3Trim | null> {
  let at = 0;
  for (;;) {
    const head = await bytesAt(file, at, ID3_BYTES);
    if (head.length < ID3_BYTES || textAt(head, 0, 3) !== 'ID3') break;
    // Seven bits in each byte.
    at += ID3_BYTES + head.slice(6, 10).reduce((size, byte) => size * 128 + (byte & 0x7f), 0);
  }
  return declaredTrim(await bytesAt(file, at, HEAD_BYTES));
}

/** @param bytes from the first frame on. */
function declaredTrim(bytes: Uint8Array): Mp3Trim | null {
  const start = bytes.findIndex((byte, at) => byte === 0xff && (bytes[at + 1]! & 0xe6) === 0xe2);
  if (start === -1) return null;
  const [, version = 0, rates = 0, channels = 0] = bytes.subarray(start, start + 4);
  const isFirst = (version & 0x08) !== 0;
  const is25 = (version & 0x10) === 0;
  const rate = (RATES[(rates >> 2) & 3] ?? 0) / (isFirst ? 1 : is25 ? 4 : 2);
  const tag = start + TAG_AT[isFirst ? 'first' : 'later'][channels >> 6 === 3 ? 'mono' : 'stereo'];
  if (rate === 0 || tag + 12 > bytes.length || !/^(?:Xing|Info)$/.test(textAt(bytes, tag, 4))) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const flags = view.getUint32(tag + 4);
  const frames = (flags & 1) === 0 ? null : view.getUint32(tag + 8);
  const encoder = tag + 8 + [4, 4, 100, 4].reduce((sum, size, bit) => sum + ((flags >> bit) & 1) * size, 0);
  if (encoder + 24 > bytes.length || !ENCODER.test(textAt(bytes, encoder, 4))) return null;
  const both = view.getUint32(encoder + 20) & 0xff_ffff;
  const [delay, padding] = [both >> 12, both & 0xfff];
  const samples = frames === null ? null : frames * (isFirst ? 1152 : 576);
  return {
    start: (delay + DECODER_DELAY) / rate,
    end: samples === null ? null : (samples - Math.max(0, padding - DECODER_DELAY)) / rate,
  };
}

async function bytesAt(file: Blob, at: number, count: number): Promise<Uint8Array> {
  return new Uint8Array(await file.slice(at, at + count).arrayBuffer());
}

function textAt(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}
