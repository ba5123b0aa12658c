import { AVERROR_EAGAIN, AVERROR_EOF, FF_DECODER_HEVC, FF_DECODER_LIBDAV1D } from 'node-av/constants';
import { Codec, CodecContext, Dictionary, Frame, Packet } from 'node-av/lib';
import { ExportError } from '../../errors.ts';
import type { HeifTile } from '../../image-header/heif-picture.ts';
import { CODEC_WHITELIST } from '../input/find-decoder.ts';
import type { MediaLimits } from '../input/media-limits.ts';
import { libavCause, requireMemory } from '../libav/libav-call.ts';

const DECODERS = { hevc: FF_DECODER_HEVC, av1: FF_DECODER_LIBDAV1D } as const;

/** Options for decoding tiles. */
export interface TileDecoding {
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
export async function decodeTiles(
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
export function undecodable(cause: unknown): ExportError {
  return new ExportError('invalid', 'media.no_frames', 'The file’s picture could not be decoded.', { cause });
}
