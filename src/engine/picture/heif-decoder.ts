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
} from 'node-av/constants';
import { type Frame, Rational } from 'node-av/lib';
import { type HeifPicture, type HeifTiles, readHeifPicture } from '../../image-header/heif-picture.ts';
import { ByteReader } from '../../iso/byte-reader.ts';
import { micros } from '../../time.ts';
import { checkImageSize, identifyMedia, unreadable } from '../input/identify-media.ts';
import type { MediaLimits } from '../input/media-limits.ts';
import { SourceClock } from '../input/source-clock.ts';
import { mustSucceed } from '../libav/libav-call.ts';
import type { FrameSource, PictureStream } from './frame-source.ts';
import { decodeTiles, type TileDecoding, undecodable } from './heif-tiles.ts';
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
