import {
  AV_CODEC_ID_OPUS,
  AV_CODEC_ID_VORBIS,
  AV_NOPTS_VALUE,
  AV_PKT_DATA_DOVI_CONF,
  type AVCodecID,
  AVERROR_ENOMEM,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants';
import { CodecContext, Dictionary, FormatContext, Frame, InputFormat, Packet, type Stream } from 'node-av/lib';
import { ExportError } from '../../errors.ts';
import type { PixelSize } from '../../image-header/image-header.ts';
import { libavCause } from '../libav/libav-call.ts';
import { CODEC_WHITELIST, findDecoder } from './find-decoder.ts';
import type { FilePart } from './find-parts.ts';
import { identifyMedia, unreadable } from './identify-media.ts';
import { InputFile, type PicturePlane } from './input-file.ts';
import { joinedClock } from './joined-clock.ts';
import type { MediaContainer } from './media-containers.ts';
import type { MediaLimits } from './media-limits.ts';
import { isEncryptedMovie, mp4Tracks } from './mp4-tracks.ts';
import { isOnePageVorbis, OnePageVorbis } from './one-page-vorbis.ts';

/** The one libavformat demuxer that may read each container; pictures made of items are not demuxed. */
const DEMUXERS: Readonly<Partial<Record<MediaContainer, string>>> = {
  mp4: 'mov',
  avif_animation: 'mov',
  heic_animation: 'mov',
  matroska: 'matroska',
  mpegts: 'mpegts',
  mpegps: 'mpeg',
  avi: 'avi',
  asf: 'asf',
  flv: 'flv',
  mp3: 'mp3',
  adts: 'aac',
  ac3: 'ac3',
  eac3: 'eac3',
  amr: 'amr',
  wavpack: 'wv',
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
  ico: 'ico',
  tiff: 'tiff_pipe',
  jxl: 'jpegxl_pipe',
};

/** Each is a stream. An icon has as many as there are sizes and depths it is shown in. */
const MAX_ICON_SIZES = 256;

/** This many packets are enough to see the first frame in presentation order. */
const SETTLING_PACKETS = 64;

/**
 * Opens an upload, guarded (H9, H10): its first bytes choose the only demuxer that may read it, that demuxer may open
 * no second file, no other protocol and no decoder outside our list, and sizes are checked before anything decodes.
 *
 * @param part reads these bytes alone, as a file.
 * @throws the errors of `identifyMedia`: `media.missing`, `media.empty`, `media.unsupported`, `media.unreadable`,
 * `media.too_many_pixels`, `media.too_many_streams`, `media.encrypted`, or the signal's reason.
 */
export async function openInput(
  file: string,
  given: MediaLimits,
  signal?: AbortSignal,
  part?: FilePart,
  plane: PicturePlane = 'color',
): Promise<InputFile> {
  signal?.throwIfAborted();
  const { container, header } = await identifyMedia(file, given);
  const limits = container === 'ico' ? { ...given, maxStreams: MAX_ICON_SIZES } : given;

  const format = new FormatContext();
  const interrupt = () => format.interrupt();
  signal?.addEventListener('abort', interrupt);
  try {
    await openDemuxer(format, { file, part }, container, limits);
    checkStreams(format, limits);
    // Probing further would decode; the header of a picture already has everything needed.
    if (header === null) await format.findStreamInfo(null);
    checkStreams(format, limits);
    signal?.throwIfAborted();
    const tracks = DEMUXERS[container] === 'mov' ? await mp4Tracks(file, part) : new Map();
    const reopen = () => openAgain({ file, part }, container, limits);
    const input = new InputFile(container, format, tracks, reopen, plane, header?.entry);
    checkReadable(input);
    const unsettled = [input.video, input.audio]
      .filter((stream) => stream !== null)
      .filter(({ startTime }) => startTime === AV_NOPTS_VALUE);
    if (header === null && unsettled.length > 0) {
      await using fresh = new FormatContext();
      await openDemuxer(fresh, { file, part }, container, limits);
      settleStarts(unsettled, fresh);
    }
    const sound = input.audio;
    if (sound !== null && LATE_DECODERS.has(sound.codecpar.codecId) && WITH_CLOCK.has(container)) {
      await using fresh = new FormatContext();
      await openDemuxer(fresh, { file, part }, container, limits);
      sound.startTime = firstHeard(sound, fresh) ?? sound.startTime;
    }
    if (container === 'ogg' && sound?.codecpar.codecId === AV_CODEC_ID_VORBIS && (await isOnePageVorbis(file, part))) {
      input.correct(new OnePageVorbis());
    }
    // What an edit list puts before 0 is not heard.
    if (sound !== null && container === 'mp4' && sound.startTime < 0n && sound.startTime !== AV_NOPTS_VALUE) {
      sound.startTime = 0n;
    }
    const clock = container === 'mpegts' ? await joinedClock(file, input.video, input.audio) : null;
    if (clock !== null) input.follow(clock);
    return input;
  } catch (error) {
    await format.closeInput();
    signal?.throwIfAborted();
    // libavformat reports broken records of encryption as damage, or as a lack of memory.
    const isUnopened = error instanceof ExportError && UNOPENED.has(error.code);
    if (isUnopened && DEMUXERS[container] === 'mov' && (await isEncryptedMovie(file, part))) throw encryptedError();
    throw error;
  } finally {
    signal?.removeEventListener('abort', interrupt);
  }
}

async function openDemuxer(
  format: FormatContext,
  { file, part }: { file: string; part: FilePart | undefined },
  container: MediaContainer,
  limits: MediaLimits,
) {
  const name = DEMUXERS[container];
  if (name === undefined) {
    const message = 'The file is a picture, which has neither video nor sound.';
    throw new ExportError('unsupported', 'media.unsupported', message);
  }
  const source = demuxerOf(name, { file, part }, container, limits);
  using options = source.options;
  const result = await format.openInput(source.url, source.demuxer, options);
  if (result >= 0) return;
  // libavformat reports a track too many as a lack of memory, which a damaged file may cause as well.
  if (result === AVERROR_ENOMEM) throw tooManyStreams(limits, ' (Or it is damaged, and asks for too much memory.)');
  throw unreadable(libavCause(result, 'avformat_open_input'));
}

/** What libavformat opens, by which demuxer, under which guards. The options are the caller's. */
function demuxerOf(
  name: string,
  { file, part }: { file: string; part: FilePart | undefined },
  container: MediaContainer,
  limits: MediaLimits,
) {
  const demuxer = InputFormat.findInputFormat(name);
  if (demuxer === null) throw new Error(`this libavformat has no demuxer ${name}`);
  const options = Dictionary.fromObject({
    format_whitelist: name,
    protocol_whitelist: part === undefined ? 'file' : 'file,subfile',
    codec_whitelist: CODEC_WHITELIST,
    // One more than allowed, so that an excess is detected and reported rather than cut off.
    max_streams: limits.maxStreams + 1,
  });
  // A packet of a program stream may hold several frames and the time of one.
  if (container === 'mpegps') options.set('fflags', '+genpts');
  if (DEMUXERS[container] === 'mov') options.set('enable_drefs', '0');
  const url = part === undefined ? file : `subfile,,start,${part.from},end,${part.to},,:${file}`;
  return { demuxer, options, url };
}

/** Opens a file that was opened before. Blocks. */
function openAgain(
  source: { file: string; part: FilePart | undefined },
  container: MediaContainer,
  limits: MediaLimits,
) {
  const { demuxer, options: owned, url } = demuxerOf(DEMUXERS[container]!, source, container, limits);
  using options = owned;
  const format = new FormatContext();
  const result = format.openInputSync(url, demuxer, options);
  if (result < 0) throw unreadable(libavCause(result, 'avformat_open_input'));
  return format;
}

/**
 * Fills in the start of streams that libavformat could not determine, as in a Matroska file of a few frames: source
 * time is counted from there.
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

/** Containers whose timestamps of sound are those of its packets, also of one that nothing is heard of. */
const WITH_CLOCK: ReadonlySet<MediaContainer> = new Set(['mp4', 'matroska']);
/** Codecs whose decoders leave out what libavformat counts: the pre-skip of Opus, the first packet of Vorbis. */
const LATE_DECODERS: ReadonlySet<AVCodecID> = new Set([AV_CODEC_ID_OPUS, AV_CODEC_ID_VORBIS]);

/**
 * The timestamp of the first decoded sample; null if the first packets yield none.
 *
 * @param fresh the same file, opened once more and not yet read; stays the caller's.
 */
function firstHeard(stream: Stream, fresh: FormatContext): bigint | null {
  const { index, codecpar, timeBase } = stream;
  const codec = findDecoder(stream);
  if (codec === null) return null;
  using decoder = new CodecContext();
  decoder.allocContext3(codec);
  if (decoder.parametersToContext(codecpar) < 0) return null;
  decoder.pktTimebase = timeBase;
  decoder.threadCount = 1;
  if (decoder.open2Sync(codec) < 0) return null;
  using packet = new Packet();
  packet.alloc();
  using frame = new Frame();
  frame.alloc();
  for (let read = 0; read < SETTLING_PACKETS && fresh.readFrameSync(packet) >= 0; read++) {
    if (packet.streamIndex === index) decoder.sendPacketSync(packet);
    packet.unref();
    if (decoder.receiveFrameSync(frame) >= 0 && frame.nbSamples > 0) {
      return frame.pts === AV_NOPTS_VALUE ? null : frame.pts;
    }
  }
  return null;
}

/** Dolby Vision whose colours are usable only with its own metadata. */
const DOLBY_ONLY_PROFILE = 5;

const UNOPENED: ReadonlySet<string> = new Set(['media.unreadable', 'media.too_many_streams']);

function encryptedError(): ExportError {
  return new ExportError('unsupported', 'media.encrypted', 'The file is encrypted (DRM). Use a file without DRM.');
}

function checkReadable({ video, audio, encrypted }: InputFile): void {
  if (video === null && audio === null && encrypted) throw encryptedError();
  // libavutil's record has a byte for each part of the version, then the profile.
  const profile = video?.codecpar.getCodedSideData(AV_PKT_DATA_DOVI_CONF)?.[2];
  if (profile === DOLBY_ONLY_PROFILE) {
    const message =
      'The video is Dolby Vision profile 5, which has no picture for other screens. Export it as HDR10, HLG or SDR.';
    throw new ExportError('unsupported', 'media.unsupported', message);
  }
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

function tooManyPixels(message: string): ExportError {
  return new ExportError('invalid', 'media.too_many_pixels', message);
}

function tooManyStreams({ maxStreams }: MediaLimits, doubt = ''): ExportError {
  const message = `The file has more tracks than the ${maxStreams} allowed.${doubt}`;
  return new ExportError('invalid', 'media.too_many_streams', message);
}
