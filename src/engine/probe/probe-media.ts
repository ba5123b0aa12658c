import {
  AV_CODEC_ID_NONE,
  AVCOL_RANGE_JPEG,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_SPC_RGB,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
  type AVPixelFormat,
} from 'node-av/constants';
import { avGetCodecName, avGetPixFmtName, Frame, type Stream } from 'node-av/lib';
import { ExportError } from '../../errors.ts';
import type { PixelSize } from '../../image-header/image-header.ts';
import type { MediaFacts } from '../../plan/model/media-facts.ts';
import { type FrameRate, frameRate, type Micros, micros, type Seconds } from '../../time.ts';
import { hasAlphaChannel, isRgb, tagForFilters } from '../color/picture-color.ts';
import { CONVERT } from '../color/to-bt709.ts';
import { findDecoder } from '../input/find-decoder.ts';
import type { FilePart } from '../input/find-parts.ts';
import { identifyMedia, isHeifContainer } from '../input/identify-media.ts';
import type { InputFile } from '../input/input-file.ts';
import { type JoinedPart, joinedParts } from '../input/joined-parts.ts';
import type { MediaContainer } from '../input/media-containers.ts';
import type { MediaLimits } from '../input/media-limits.ts';
import { openInput } from '../input/open-input.ts';
import { presentationStart } from '../input/presentation-start.ts';
import { type StreamScan, scanPackets } from '../input/scan-packets.ts';
import { soundSpan } from '../input/stream-spans.ts';
import { FrameGraph } from '../libav/frame-graph.ts';
import { mustSucceed } from '../libav/libav-call.ts';
import type { PictureFacts } from '../picture/picture-facts.ts';
import { PictureReader } from '../picture/picture-reader.ts';
import { isTruncated } from './is-truncated.ts';
import type { ProbedMedia } from './probed-media.ts';
import { firstSound, type ProbedAudio, probedAudio } from './probed-sound.ts';
import { type ProbedVideo, probedVideo } from './probed-video.ts';

/**
 * Determines the facts of a file by reading it, without trusting its header: counts packets, and decodes the first
 * frame of the picture and of the sound. A file without either is `unreadable`, which is not an error here.
 *
 * Decodes, so it must run in the jail.
 *
 * @throws `media.missing`, `media.empty`, `media.unsupported`, `media.too_many_streams`, `media.too_many_pixels`,
 * `media.too_many_frames`, `media.too_long`, `media.rate_too_high`, or the signal's reason.
 */
export async function probe(file: string, limits: MediaLimits, signal?: AbortSignal): Promise<ProbedMedia> {
  const parts = await joinedParts(file, limits);
  if (parts === null) return probePart(file, limits, signal);
  const probed: ProbedMedia[] = [];
  for (const part of parts) probed.push(await probePart(file, limits, signal, part));
  const media = joinedMedia(parts, probed);
  checkDuration(media.duration, limits);
  return media;
}

/** @param part the part of a file that was joined from several. */
async function probePart(
  file: string,
  limits: MediaLimits,
  signal?: AbortSignal,
  part?: FilePart,
): Promise<ProbedMedia> {
  const { container, header } = await identifyMedia(file, limits);
  if (container === 'svg') return undecoded('svg', 'drawing', header!);
  if (container === 'font') return undecoded('font', 'font', { width: 0, height: 0 });
  if (isHeifContainer(container)) return probeHeif(file, container, limits, signal);
  await using input = await openInput(file, limits, signal, part);
  requireDecoders(input);
  const origin = presentationStart(input);
  const sound = await firstSound(input);
  await using scanned = await openInput(file, limits, signal, part);
  const scans = await scanPackets(scanned, signal);
  const videoScan = input.video && scans.get(input.video.index)!;
  if (videoScan !== null) checkAnimation(input, videoScan, limits);
  const reader = await openReader(file, limits, signal, part);
  try {
    return await describe(input, { file, origin, scans, sound, reader, limits });
  } finally {
    await reader?.[Symbol.asyncDispose]();
  }
}

/** @throws `media.unsupported` if no track has a codec that is accepted, naming them. */
function requireDecoders({ video, audio, streams, container }: InputFile): void {
  if (video !== null || audio !== null) return;
  const codecs = streams
    .filter(({ codecpar: { codecType } }) => codecType === AVMEDIA_TYPE_VIDEO || codecType === AVMEDIA_TYPE_AUDIO)
    .filter((stream) => findDecoder(stream) === null)
    .map(({ codecpar }) => (codecpar.codecId === AV_CODEC_ID_NONE ? null : avGetCodecName(codecpar.codecId)))
    .filter((name) => name !== null);
  if (codecs.length === 0) return;
  const message = `The file is ${container} with ${[...new Set(codecs)].join(' and ')}, which is not accepted.`;
  throw new ExportError('unsupported', 'media.unsupported', message);
}

/** Drawings and fonts are not decoded here; the painter reports their errors. */
function undecoded(container: 'svg' | 'font', kind: 'drawing' | 'font', { width, height }: PixelSize): ProbedMedia {
  const facts = { kind, duration: 0, width, height, alpha: kind === 'drawing', sound: false } as const;
  return { container, kind, duration: 0, video: null, audio: null, coverArt: false, problem: null, facts };
}

/** A picture made of items has one frame and no sound. */
async function probeHeif(
  file: string,
  container: MediaContainer,
  limits: MediaLimits,
  signal?: AbortSignal,
): Promise<ProbedMedia> {
  const reader = await openReader(file, limits, signal);
  try {
    const kind = reader === null ? 'unreadable' : 'still';
    const upright = reader?.picture.upright ?? { width: 0, height: 0 };
    const alpha = reader?.picture.alpha === true && (await isTransparent(await reader.frameAt(micros(0))));
    const codec = container === 'heic' ? 'hevc' : 'av1';
    const once = { rate: null, variableRate: false, frames: 1, start: 0, end: 0 };
    return {
      container,
      kind,
      duration: 0,
      video: reader === null ? null : { codec, picture: reader.picture, ...once },
      audio: null,
      coverArt: false,
      problem: reader === null ? 'media.no_frames' : null,
      facts: { kind, duration: 0, ...upright, alpha, sound: false },
    };
  } finally {
    await reader?.[Symbol.asyncDispose]();
  }
}

interface Findings {
  readonly file: string;
  readonly origin: Micros;
  readonly scans: ReadonlyMap<number, StreamScan>;
  readonly sound: Awaited<ReturnType<typeof firstSound>>;
  readonly reader: PictureReader | null;
  readonly limits: MediaLimits;
}

async function describe(input: InputFile, findings: Findings): Promise<ProbedMedia> {
  const { reader, sound, origin, limits } = findings;
  const scan = ({ index }: Stream) => findings.scans.get(index)!;
  const video = reader && probedVideo(input, reader.picture, scan(input.video!), origin, limits);
  const audio = input.audio && sound && probedAudio(sound, soundSpan(input, scan(input.audio), origin));
  const kind = kindOf(input, video, audio);
  const moving = kind === 'still' || kind === 'unreadable' ? 0 : Math.max(video?.end ?? 0, audio?.end ?? 0);
  checkDuration(moving, limits);
  const upright = video?.picture.upright ?? { width: 0, height: 0 };
  const alpha = reader !== null && (await lookThrough(reader, kind, input, findings));
  const truncated =
    (kind === 'still' || kind === 'animation') && (await isTruncated(findings.file, input.container, limits));
  const unused = (input.video !== null && video === null) || kind === 'unreadable';
  return {
    container: input.container,
    kind,
    duration: moving,
    video,
    audio,
    coverArt: input.coverArt,
    problem: unused ? 'media.no_frames' : truncated ? 'media.truncated' : null,
    facts: { kind, duration: moving, ...upright, alpha, sound: audio !== null, ...(truncated && { truncated }) },
  };
}

function checkDuration(found: Seconds, { maxDurationSeconds: max }: MediaLimits): void {
  if (found <= max) return;
  const message = `The file lasts ${Math.round(found)} seconds; at most ${max} are allowed.`;
  throw new ExportError('invalid', 'media.too_long', message);
}

/** A picture that cannot be decoded leaves a file's sound usable; any other failure is the caller's. */
async function openReader(
  file: string,
  limits: MediaLimits,
  signal?: AbortSignal,
  part?: FilePart,
): Promise<PictureReader | null> {
  try {
    return await PictureReader.open(file, limits, { ...(signal && { signal }), ...(part && { part }) });
  } catch (error) {
    if (error instanceof ExportError && error.code === 'media.no_frames') return null;
    throw error;
  }
}

function kindOf(input: InputFile, video: ProbedVideo | null, audio: ProbedAudio | null): MediaFacts['kind'] {
  if (video === null) return audio === null ? 'unreadable' : 'audio';
  if (input.still) return 'still';
  if (!isAnimation(input)) return 'video';
  return video.frames === 1 ? 'still' : 'animation';
}

/** Sequences of AVIF and HEIC pictures are stored like films. */
function isAnimation({ animation, container }: InputFile): boolean {
  return animation || container === 'avif_animation' || container === 'heic_animation';
}

function checkAnimation(input: InputFile, { packets }: StreamScan, limits: MediaLimits): void {
  if (!isAnimation(input)) return;
  const { width, height } = input.video!.codecpar;
  if (packets > limits.animationMaxFrames) {
    throw new ExportError(
      'invalid',
      'media.too_many_frames',
      `The animation has ${packets} frames; at most ${limits.animationMaxFrames} are allowed.`,
    );
  }
  if (width * height * packets > limits.animationMaxPixels) {
    throw new ExportError(
      'invalid',
      'media.too_many_pixels',
      `The animation is ${width}×${height} with ${packets} frames; ${limits.animationMaxPixels / 1e6} megapixels ` +
        'together are allowed.',
    );
  }
}

/** Whether the picture is transparent: examined for pictures, taken from the format for video. */
async function lookThrough(
  reader: PictureReader,
  kind: MediaFacts['kind'],
  input: InputFile,
  { scans, origin }: Findings,
): Promise<boolean> {
  if (!reader.picture.alpha || kind === 'video') return reader.picture.alpha;
  const { times } = scans.get(input.video!.index)!;
  const moments = kind === 'animation' ? times.map((time) => micros(Math.max(0, Math.ceil(time - origin)))) : [];
  for (const at of [micros(0), ...moments]) {
    if (await isTransparent(await reader.frameAt(at))) return true;
  }
  return false;
}

interface PlacedPart {
  /** In seconds of the whole. */
  readonly start: number;
  readonly media: ProbedMedia;
}

/** Aspect ratios that differ by less are equal: sizes are rounded. */
const MAX_SHAPE_DIFFERENCE = 0.02;

/**
 * Describes a file that was joined from several. The first part with a picture gives the picture's facts, the first
 * with sound the sound's.
 *
 * @throws `media.unsupported` if its pictures differ in aspect ratio or orientation: a clip is placed once.
 */
function joinedMedia(parts: readonly JoinedPart[], probed: readonly ProbedMedia[]): ProbedMedia {
  const placed = parts.map(({ start }, index) => ({ start: start / 1e6, media: probed[index]! }));
  requireOneShape(probed.flatMap(({ video: part }) => (part === null ? [] : [part.picture])));
  const video = joinedVideo(placed);
  const audio = joinedAudio(placed);
  const duration = Math.max(video?.end ?? 0, audio?.end ?? 0);
  const kind = video !== null ? 'video' : audio !== null ? 'audio' : 'unreadable';
  const { width, height } = (probed.find((media) => media.video !== null) ?? probed[0]!).facts;
  const alpha = probed.some(({ facts }) => facts.alpha);
  return {
    container: probed[0]!.container,
    kind,
    duration,
    video,
    audio,
    coverArt: probed.some(({ coverArt }) => coverArt),
    problem: probed.every(({ problem }) => problem !== null) ? 'media.no_frames' : null,
    facts: { kind, duration, width, height, alpha, sound: audio !== null },
  };
}

function requireOneShape(pictures: readonly PictureFacts[]): void {
  const ratio = ({ upright }: PictureFacts) => upright.width / upright.height;
  const [first] = pictures;
  const isAlike = (other: PictureFacts) =>
    other.orientation.quarterTurns === first!.orientation.quarterTurns &&
    other.orientation.mirrored === first!.orientation.mirrored &&
    Math.abs(ratio(other) / ratio(first!) - 1) < MAX_SHAPE_DIFFERENCE;
  const other = pictures.find((picture) => !isAlike(picture));
  if (other === undefined) return;
  const size = ({ upright }: PictureFacts) => `${upright.width}×${upright.height}`;
  const turned = ({ orientation }: PictureFacts) => `rotated by ${orientation.quarterTurns * 90}°`;
  const message =
    'The file is joined from videos of different shapes or orientations ' +
    `(${size(first!)} ${turned(first!)}, ${size(other)} ${turned(other)}). Upload them as separate files.`;
  throw new ExportError('unsupported', 'media.unsupported', message);
}

function joinedVideo(parts: readonly PlacedPart[]): ProbedVideo | null {
  const videos = parts.flatMap(({ start, media }) => (media.video === null ? [] : [placedAt(start, media.video)]));
  const [first] = videos;
  if (first === undefined) return null;
  const frames = videos.reduce<number | null>((sum, each) => add(sum, each.frames), 0);
  const end = Math.max(...videos.map((each) => each.end));
  const isOneRate = videos.every(({ rate }) => rate?.num === first.rate?.num && rate?.den === first.rate?.den);
  const rate = isOneRate || frames === null ? first.rate : meanRate(frames, end - first.start);
  const variableRate = !isOneRate || videos.some((each) => each.variableRate);
  return { ...first, rate, variableRate, frames, end };
}

function joinedAudio(parts: readonly PlacedPart[]): ProbedAudio | null {
  const sounds = parts.flatMap(({ start, media }) => (media.audio === null ? [] : [placedAt(start, media.audio)]));
  const [first] = sounds;
  return first === undefined ? null : { ...first, end: Math.max(...sounds.map(({ end }) => end)) };
}

function placedAt<T extends { readonly start: number; readonly end: number }>(at: number, stream: T): T {
  const moved = (seconds: number) => Math.round((at + seconds) * 1e6) / 1e6;
  return { ...stream, start: moved(stream.start), end: moved(stream.end) };
}

function meanRate(frames: number, seconds: number): FrameRate | null {
  return seconds > 0 ? frameRate(frames / seconds) : null;
}

function add(sum: number | null, more: number | null): number | null {
  return sum === null || more === null ? null : sum + more;
}

/** Where a pixel format keeps its 8-bit alpha: which plane, how far apart, how far in. */
interface AlphaBytes {
  readonly plane: number;
  readonly step: number;
  readonly offset: number;
}

/**
 * Whether the picture is transparent anywhere. Formats with an alpha channel are often opaque (every GIF decodes to
 * one), and an opaque picture lets the planner leave out the layers beneath. (R8)
 */
export async function isTransparent(frame: Frame): Promise<boolean> {
  const name = avGetPixFmtName(frame.format as AVPixelFormat) ?? '';
  if (!hasAlphaChannel(name)) return false;
  const alpha = alphaBytes(name);
  if (alpha !== null) return hasHole(frame, alpha);
  using extracted = new Frame();
  extracted.alloc();
  await extractAlpha(frame, name, extracted);
  return hasHole(extracted, { plane: 0, step: 1, offset: 0 });
}

function hasHole({ data, linesize, width, height }: Frame, { plane, step, offset }: AlphaBytes): boolean {
  const bytes = data![plane]!;
  for (let y = 0; y < height; y++) {
    const row = y * linesize[plane]! + offset;
    for (let x = 0; x < width; x++) if (bytes[row + x * step] !== 255) return true;
  }
  return false;
}

function alphaBytes(name: string): AlphaBytes | null {
  if (name === 'rgba' || name === 'bgra') return { plane: 0, step: 4, offset: 3 };
  if (name === 'argb' || name === 'abgr') return { plane: 0, step: 4, offset: 0 };
  if (name === 'ya8') return { plane: 0, step: 2, offset: 1 };
  if (/^yuva4[0-9]{2}p$/.test(name) || name === 'gbrap') return { plane: 3, step: 1, offset: 0 };
  return null;
}

/**
 * Fills `into` with the alpha of any other format (palettes, more than 8 bits) as 8 bits, which is all that is ever
 * shown.
 */
async function extractAlpha(frame: Frame, name: string, into: Frame): Promise<void> {
  const { width, height } = frame;
  const [matrix, range] = isRgb(name) ? [AVCOL_SPC_RGB, AVCOL_RANGE_JPEG] : [AVCOL_SPC_BT709, AVCOL_RANGE_MPEG];
  const shape = { width, height, pixelFormat: frame.format as AVPixelFormat, matrix, range };
  using graph = await FrameGraph.open([shape], `[0]${CONVERT},format=yuva444p,alphaextract[out]`);
  using shared = new Frame();
  shared.alloc();
  mustSucceed(shared.ref(frame), 'av_frame_ref');
  tagForFilters(shared, shape);
  graph.feed(0, shared, 0);
  await graph.pull(into);
}
