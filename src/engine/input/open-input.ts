import { open } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { AV_NOPTS_VALUE, AVERROR_ENOMEM, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { Dictionary, FormatContext, InputFormat, Packet, type Stream } from 'node-av/lib';
import { ExportError } from '../../errors.ts';
import type { PixelSize } from '../../image-header/image-header.ts';
import { readImageHeader } from '../../image-header/read-image-header.ts';
import { libavCause } from '../libav/libav-call.ts';
import { CODEC_WHITELIST } from './find-decoder.ts';
import { ANIMATIONS, InputFile, STILLS } from './input-file.ts';
import type { MediaLimits } from './media-limits.ts';
import { id3Length, type MediaContainer, SNIFF_BYTES, sniffMedia } from './sniff-media.ts';

/** The one libavformat demuxer that may read each container. */
const DEMUXERS: Readonly<Record<MediaContainer, string>> = {
  mp4: 'mov',
  avif: 'mov',
  matroska: 'matroska',
  mpegts: 'mpegts',
  avi: 'avi',
  flv: 'flv',
  mp3: 'mp3',
  adts: 'aac',
  flac: 'flac',
  wav: 'wav',
  ogg: 'ogg',
  aiff: 'aiff',
  gif: 'gif',
  png: 'png_pipe',
  apng: 'apng',
  jpeg: 'jpeg_pipe',
  webp: 'webp_pipe',
  webp_animation: 'webp_anim',
  bmp: 'bmp_pipe',
};

/** How far into a picture file its size may be hidden, behind metadata. */
const IMAGE_HEAD_BYTES = 8 * 1024 * 1024;

/** So many packets are enough to see the first frame in presentation order. */
const SETTLING_PACKETS = 64;

/**
 * Opens an upload, guarded (hardening.md): its first bytes choose the only demuxer that may read it, that demuxer may
 * open no second file, no other protocol and no decoder we did not name, and sizes are checked before anything decodes.
 *
 * @param file an absolute path the server itself made; an uploader's name never gets here.
 * @throws `media.missing`, `media.empty`, `media.unsupported`, `media.unreadable`, `media.too_many_pixels`,
 *   `media.too_many_streams`, or the signal's reason.
 */
export async function openInput(file: string, limits: MediaLimits, signal?: AbortSignal): Promise<InputFile> {
  if (!isAbsolute(file)) throw new Error(`media must be opened by absolute path, not ${JSON.stringify(file)}`);
  signal?.throwIfAborted();
  const { container, size } = await identify(file);
  if (size !== null) checkImageSize(size, limits);

  const format = new FormatContext();
  const interrupt = () => format.interrupt();
  signal?.addEventListener('abort', interrupt);
  try {
    await openDemuxer(format, file, container, limits);
    checkStreams(format, limits);
    // Looking further decodes; a picture's header has already told all that matters.
    if (size === null) await format.findStreamInfo(null);
    checkStreams(format, limits);
    signal?.throwIfAborted();
    const input = new InputFile(container, format);
    const unsettled = [input.video, input.audio]
      .filter((stream) => stream !== null)
      .filter(({ startTime }) => startTime === AV_NOPTS_VALUE);
    if (size === null && unsettled.length > 0) {
      await using fresh = new FormatContext();
      await openDemuxer(fresh, file, container, limits);
      settleStarts(unsettled, fresh);
    }
    return input;
  } catch (error) {
    await format.closeInput();
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', interrupt);
  }
}

/** What the file is, and for pictures how large. */
async function identify(file: string): Promise<{ container: MediaContainer; size: PixelSize | null }> {
  await using handle = await open(file).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT') throw cause;
    throw new ExportError('missing', 'media.missing', 'The media file is not there.', { cause });
  });
  const read = async (position: number, length: number) => {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(length), position });
    return buffer.subarray(0, bytesRead);
  };
  const head = await read(0, SNIFF_BYTES);
  if (head.length === 0) throw new ExportError('invalid', 'media.empty', 'The media file is empty.');

  const tagged = id3Length(head);
  const container = tagged > 0 ? sniffMedia(await read(tagged, SNIFF_BYTES), true) : sniffMedia(head);
  if (container === null) {
    throw new ExportError(
      'unsupported',
      'media.unsupported',
      'The file is of no kind we take: MP4, MOV, WebM, Matroska, MPEG-TS, AVI, FLV, MP3, M4A, AAC, FLAC, WAV, Ogg, AIFF, ' +
        'GIF, PNG, JPEG, WebP, AVIF or BMP.',
    );
  }
  if (!STILLS.has(container) && !ANIMATIONS.has(container)) return { container, size: null };
  const size = sizeIn(head) ?? sizeIn(await read(0, IMAGE_HEAD_BYTES));
  if (size === null) throw unreadable();
  return { container, size };
}

/** The size a picture's header declares, or null where it is not within these first bytes. */
function sizeIn(head: Uint8Array): PixelSize | null {
  try {
    return readImageHeader(head);
  } catch (error) {
    if (error instanceof ExportError) return null;
    throw error;
  }
}

async function openDemuxer(format: FormatContext, file: string, container: MediaContainer, limits: MediaLimits) {
  const demuxer = InputFormat.findInputFormat(DEMUXERS[container]);
  if (demuxer === null) throw new Error(`this libavformat has no demuxer ${DEMUXERS[container]}`);
  using options = Dictionary.fromObject({
    format_whitelist: DEMUXERS[container],
    protocol_whitelist: 'file',
    codec_whitelist: CODEC_WHITELIST,
    // One more than allowed, so that going over is seen and said rather than cut off.
    max_streams: limits.maxStreams + 1,
  });
  if (container === 'mp4' || container === 'avif') options.set('enable_drefs', '0');
  const result = await format.openInput(file, demuxer, options);
  if (result >= 0) return;
  // libavformat reports a track too many as a lack of memory, which a damaged file may cause as well.
  if (result === AVERROR_ENOMEM) throw tooManyStreams(limits, ' (Or it is damaged, and asks for too much memory.)');
  throw unreadable(libavCause(result, 'avformat_open_input'));
}

/**
 * Fills in when streams begin where libavformat could not tell, as in a Matroska file of a few frames: source time is
 * counted from there.
 *
 * @param fresh the same file, opened once more and not yet read; stays the caller's.
 */
function settleStarts(streams: readonly Stream[], fresh: FormatContext): void {
  const starts = new Map<number, bigint>();
  using packet = new Packet();
  packet.alloc();
  for (let read = 0; read < SETTLING_PACKETS && fresh.readFrameSync(packet) >= 0; read++) {
    const { streamIndex, pts, dts } = packet;
    const timestamp = pts === AV_NOPTS_VALUE ? dts : pts;
    const known = starts.get(streamIndex);
    if (timestamp !== AV_NOPTS_VALUE && (known === undefined || timestamp < known)) starts.set(streamIndex, timestamp);
    packet.unref();
  }
  for (const stream of streams) stream.startTime = starts.get(stream.index) ?? AV_NOPTS_VALUE;
}

function checkStreams(format: FormatContext, limits: MediaLimits): void {
  const { streams } = format;
  if (streams.length > limits.maxStreams) throw tooManyStreams(limits);
  for (const { codecpar } of streams) {
    if (codecpar.codecType === AVMEDIA_TYPE_VIDEO) checkVideoSize(codecpar, limits);
  }
}

function checkVideoSize({ width, height }: PixelSize, limits: MediaLimits): void {
  const fits = (across: number, down: number) => width <= across && height <= down;
  if (fits(limits.maxWidth, limits.maxHeight) || fits(limits.maxHeight, limits.maxWidth)) return;
  throw tooManyPixels(`The video is ${width}×${height}; at most ${limits.maxWidth}×${limits.maxHeight} is allowed.`);
}

function checkImageSize({ width, height }: PixelSize, limits: MediaLimits): void {
  if (width === 0 || height === 0) throw unreadable();
  const { imageMaxPixels, imageMaxSide } = limits;
  if (width * height <= imageMaxPixels && Math.max(width, height) <= imageMaxSide) return;
  throw tooManyPixels(
    `The image is ${width}×${height}; at most ${imageMaxPixels / 1e6} megapixels and ${imageMaxSide} a side are allowed.`,
  );
}

function tooManyPixels(message: string): ExportError {
  return new ExportError('invalid', 'media.too_many_pixels', message);
}

function tooManyStreams({ maxStreams }: MediaLimits, doubt = ''): ExportError {
  const message = `The file has more tracks than the ${maxStreams} allowed.${doubt}`;
  return new ExportError('invalid', 'media.too_many_streams', message);
}

function unreadable(cause?: unknown): ExportError {
  return new ExportError('invalid', 'media.unreadable', 'The media file is damaged: it could not be opened.', {
    cause,
  });
}
