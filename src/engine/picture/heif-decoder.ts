import { open } from 'node:fs/promises';
import {
  AV_CODEC_ID_NONE,
  AV_FRAME_DATA_DISPLAYMATRIX,
  AV_FRAME_DATA_ICC_PROFILE,
  AVCOL_PRI_BT709,
  AVCOL_PRI_UNSPECIFIED,
  AVCOL_RANGE_JPEG,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_SMPTE170M,
  AVCOL_SPC_UNSPECIFIED,
  AVCOL_TRC_IEC61966_2_1,
  AVCOL_TRC_UNSPECIFIED,
  type AVColorPrimaries,
  type AVColorSpace,
  type AVColorTransferCharacteristic,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  FF_DECODER_HEVC,
  FF_DECODER_LIBDAV1D,
} from 'node-av/constants';
import { Codec, CodecContext, Dictionary, Frame, Packet, Rational } from 'node-av/lib';
import { ExportError } from '../../errors.ts';
import { type HeifPicture, type HeifTile, type HeifTiles, readHeifPicture } from '../../image-header/heif-picture.ts';
import { ByteReader } from '../../iso/byte-reader.ts';
import { micros } from '../../time.ts';
import { CODEC_WHITELIST } from '../input/find-decoder.ts';
import { checkImageSize, identifyMedia, unreadable } from '../input/identify-media.ts';
import type { MediaLimits } from '../input/media-limits.ts';
import { SourceClock } from '../input/source-clock.ts';
import { libavCause, mustSucceed, requireMemory } from '../libav/libav-call.ts';
import type { FrameSource, PictureStream } from './frame-source.ts';
import { displayMatrix } from './orientation.ts';
import type { PictureDecoderOptions } from './picture-decoder.ts';
import { TileCanvas } from './tile-canvas.ts';

/** A picture file is read whole; uploads of pictures are smaller than this by default. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
const SECOND = { num: 1, den: 1 };

/**
 * The single picture of a HEIC or AVIF file: its tiles decoded and assembled, with its alpha. We parse the container
 * ourselves, because libavformat returns tiles as separate streams, and node-av does not expose how they belong
 * together.
 */
export class HeifDecoder implements FrameSource {
  readonly clock = new SourceClock(SECOND, micros(0));
  readonly stream: PictureStream = {
    timeBase: new Rational(1, 1),
    sampleAspectRatio: new Rational(1, 1),
    codecpar: { codecId: AV_CODEC_ID_NONE, getCodedSideData: () => null },
  };
  readonly brokenPackets = 0;
  readonly seekable = false;
  readonly lastKey = 0;
  readonly #picture: HeifPicture;
  readonly #decoding: TileDecoding;
  #given = false;

  private constructor(picture: HeifPicture, decoding: TileDecoding) {
    this.#picture = picture;
    this.#decoding = decoding;
  }

  /** @throws the errors of `identifyMedia`; `media.unreadable` if the file is inconsistent. */
  static async open(file: string, limits: MediaLimits, options: PictureDecoderOptions): Promise<HeifDecoder> {
    await identifyMedia(file, limits);
    const bytes = await readWhole(file);
    const picture = read(bytes);
    for (const size of [picture, picture.tiles[0]!, picture.alpha?.tiles[0] ?? picture]) checkImageSize(size, limits);
    return new HeifDecoder(picture, { bytes, limits, threads: options.threads ?? 0, signal: options.signal });
  }

  /** @throws `media.no_frames` if the picture cannot be decoded whole. */
  async next(frame: Frame): Promise<number | null> {
    frame.unref();
    if (this.#given) return null;
    this.#given = true;
    using canvas = await this.#decode();
    this.#describe(canvas.frame);
    mustSucceed(frame.ref(canvas.frame), 'av_frame_ref');
    return 0;
  }

  async rewind(): Promise<void> {
    this.#given = false;
  }

  /** A still has no other position. */
  skipTo(): boolean {
    return false;
  }

  async seek(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {}

  async #decode(): Promise<TileCanvas> {
    const { crop, alpha } = this.#picture;
    let canvas: TileCanvas | null = null;
    try {
      await decodeTiles(this.#picture.tiles, this.#decoding, (n, tile) => {
        canvas ??= this.#start(tile, crop, alpha !== null);
        const [x, y] = placeOf(this.#picture, n);
        if (!canvas.put(tile, x, y)) throw undecodable(new Error('tiles of different kinds'));
      });
      const made = canvas as TileCanvas | null;
      if (made === null) throw undecodable(new Error('no tiles'));
      if (alpha !== null && made.hasAlpha) {
        await decodeTiles(alpha.tiles, this.#decoding, (n, tile) => {
          const [x, y] = placeOf(alpha, n);
          if (!made.putAlpha(tile, x, y)) throw undecodable(new Error('an alpha channel of another kind'));
        });
      }
      return made;
    } catch (error) {
      (canvas as TileCanvas | null)?.[Symbol.dispose]();
      throw error;
    }
  }

  #start(tile: Frame, crop: HeifPicture['crop'], alpha: boolean): TileCanvas {
    // A format that has no variant with alpha is shown without alpha.
    const canvas = TileCanvas.create(tile, crop, alpha) ?? TileCanvas.create(tile, crop, false);
    if (canvas === null) throw undecodable(new Error('a pixel format we cannot put together'));
    const { frame } = canvas;
    frame.pts = 0n;
    frame.sampleAspectRatio = new Rational(1, 1);
    return canvas;
  }

  /**
   * The file's values take precedence over its codec's; if both are missing, the defaults of ISO 23000-22 (7.3.6.4)
   * apply: sRGB, BT.601.
   */
  #describe(frame: Frame): void {
    const { color, icc, quarterTurns, mirrored } = this.#picture;
    if (color !== null) {
      frame.colorPrimaries = color.primaries as AVColorPrimaries;
      frame.colorTrc = color.transfer as AVColorTransferCharacteristic;
      frame.colorSpace = color.matrix as AVColorSpace;
      frame.colorRange = color.fullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
    }
    if (frame.colorPrimaries === AVCOL_PRI_UNSPECIFIED) frame.colorPrimaries = AVCOL_PRI_BT709;
    if (frame.colorTrc === AVCOL_TRC_UNSPECIFIED) frame.colorTrc = AVCOL_TRC_IEC61966_2_1;
    if (frame.colorSpace === AVCOL_SPC_UNSPECIFIED) frame.colorSpace = AVCOL_SPC_SMPTE170M;
    if (icc !== null) {
      const profile = this.#decoding.bytes.subarray(icc.start, icc.end);
      frame.newSideData(AV_FRAME_DATA_ICC_PROFILE, profile.length).set(profile);
    }
    const matrix = displayMatrix({ quarterTurns, mirrored });
    frame.newSideData(AV_FRAME_DATA_DISPLAYMATRIX, matrix.length).set(matrix);
  }
}

/** Where the upper left corner of tile `n` belongs. */
function placeOf({ columns, tiles }: HeifTiles, n: number): [x: number, y: number] {
  const { width, height } = tiles[0]!;
  return [(n % columns) * width, Math.floor(n / columns) * height];
}

function read(bytes: Buffer): HeifPicture {
  try {
    return readHeifPicture(new ByteReader(bytes));
  } catch (error) {
    if (error instanceof RangeError) throw unreadable(error);
    throw error;
  }
}

async function readWhole(file: string): Promise<Buffer> {
  await using handle = await open(file);
  const { size } = await handle.stat();
  if (size > MAX_FILE_BYTES) throw unreadable(new Error(`${size} bytes`));
  return handle.readFile();
}

const DECODERS = { hevc: FF_DECODER_HEVC, av1: FF_DECODER_LIBDAV1D } as const;

/** Options for decoding tiles. */
interface TileDecoding {
  /** The whole file. */
  readonly bytes: Buffer;
  readonly limits: MediaLimits;
  readonly threads: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Decodes every tile and hands it to `place` with its number; the frame is valid until that returns.
 *
 * @throws `media.no_frames` if one of them cannot be decoded: a picture with a hole is not usable.
 */
async function decodeTiles(
  tiles: readonly HeifTile[],
  decoding: TileDecoding,
  place: (n: number, frame: Frame) => void,
): Promise<void> {
  let placed = 0;
  for (let n = 0; n < tiles.length; ) {
    const first = tiles[n]!;
    const isLike = (tile: HeifTile) => tile.codec === first.codec && tile.config.start === first.config.start;
    let end = n + 1;
    while (end < tiles.length && isLike(tiles[end]!)) end += 1;
    await decodeRun(tiles, { from: n, to: end }, decoding, (number, frame) => {
      placed += 1;
      place(number, frame);
    });
    n = end;
  }
  if (placed !== tiles.length) throw undecodable(new Error(`${placed} of ${tiles.length} tiles`));
}

/** Tiles that share a decoder's set-up share the decoder. */
async function decodeRun(
  tiles: readonly HeifTile[],
  { from, to }: { readonly from: number; readonly to: number },
  decoding: TileDecoding,
  place: (n: number, frame: Frame) => void,
): Promise<void> {
  using codec = await openDecoder(tiles[from]!, decoding);
  using packet = new Packet();
  using frame = new Frame();
  packet.alloc();
  frame.alloc();
  const receive = async () => {
    for (;;) {
      const result = await codec.receiveFrame(frame);
      if (result === AVERROR_EAGAIN || result === AVERROR_EOF) return;
      mustDecode(result, 'avcodec_receive_frame');
      place(Number(frame.pts), frame);
      frame.unref();
    }
  };
  for (let n = from; n < to; n += 1) {
    decoding.signal?.throwIfAborted();
    packet.unref();
    packet.data = tileData(decoding.bytes, tiles[n]!);
    packet.pts = BigInt(n);
    packet.isKeyframe = true;
    mustDecode(await codec.sendPacket(packet), 'avcodec_send_packet');
    await receive();
  }
  await codec.sendPacket(null);
  await receive();
}

async function openDecoder(tile: HeifTile, { bytes, limits, threads }: TileDecoding): Promise<CodecContext> {
  const decoder = Codec.findDecoderByName(DECODERS[tile.codec]);
  if (decoder === null) throw new Error(`this libavcodec has no decoder ${DECODERS[tile.codec]}`);
  const codec = new CodecContext();
  codec.allocContext3(decoder);
  try {
    codec.extraData = bytes.subarray(tile.config.start, tile.config.end);
    codec.threadCount = threads;
    using options = Dictionary.fromObject({ codec_whitelist: CODEC_WHITELIST, max_pixels: limits.imageMaxPixels });
    mustDecode(await codec.open2(decoder, options), 'avcodec_open2');
    return codec;
  } catch (error) {
    codec.freeContext();
    throw error;
  }
}

function tileData(bytes: Buffer, { extents }: HeifTile): Buffer {
  const parts = extents.map(({ start, end }) => bytes.subarray(start, end));
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
}

function mustDecode(result: number, call: string): void {
  if (result >= 0) return;
  requireMemory(result, call);
  throw undecodable(libavCause(result, call));
}

/** No part of the picture can be shown. */
function undecodable(cause: unknown): ExportError {
  return new ExportError('invalid', 'media.no_frames', 'The file’s picture could not be decoded.', { cause });
}
