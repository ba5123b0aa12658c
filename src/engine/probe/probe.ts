import { AV_CODEC_ID_NONE, AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { avGetCodecName, type Stream } from 'node-av/lib';
import { ExportError } from '../../errors.ts';
import type { PixelSize } from '../../image-header/image-header.ts';
import type { MediaFacts } from '../../plan/media-facts.ts';
import { type Micros, micros, type Seconds } from '../../time.ts';
import { findDecoder } from '../input/find-decoder.ts';
import { identifyMedia, isHeifContainer } from '../input/identify-media.ts';
import type { InputFile } from '../input/input-file.ts';
import type { MediaContainer } from '../input/media-containers.ts';
import type { MediaLimits } from '../input/media-limits.ts';
import { openInput } from '../input/open-input.ts';
import type { FilePart } from '../input/parts/find-parts.ts';
import { joinedParts } from '../input/parts/joined-parts.ts';
import { presentationStart } from '../input/presentation-start.ts';
import { type StreamScan, scanPackets } from '../input/scan-packets.ts';
import { soundSpan } from '../input/stream-spans.ts';
import { PictureReader } from '../picture/picture-reader.ts';
import { joinedMedia } from './joined-media.ts';
import type { ProbedMedia } from './probed-media.ts';
import { type ProbedAudio, type SoundFormat, soundFormat } from './probed-sound.ts';
import { type ProbedVideo, probedVideo } from './probed-video.ts';
import { isTransparent } from './transparency.ts';

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
  const sound = await soundFormat(input);
  await using scanned = await openInput(file, limits, signal, part);
  const scans = await scanPackets(scanned, signal);
  const videoScan = input.video && scans.get(input.video.index)!;
  if (videoScan !== null) checkAnimation(input, videoScan, limits);
  const reader = await openReader(file, limits, signal, part);
  try {
    return await describe(input, { origin, scans, sound, reader, limits });
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
  readonly origin: Micros;
  readonly scans: ReadonlyMap<number, StreamScan>;
  readonly sound: SoundFormat | null;
  readonly reader: PictureReader | null;
  readonly limits: MediaLimits;
}

async function describe(input: InputFile, findings: Findings): Promise<ProbedMedia> {
  const { reader, sound, origin, limits } = findings;
  const scan = ({ index }: Stream) => findings.scans.get(index)!;
  const video = reader && probedVideo(input, reader.picture, scan(input.video!), origin, limits);
  const audio = input.audio && sound && { ...sound, ...soundSpan(input, scan(input.audio), origin) };
  const kind = kindOf(input, video, audio);
  const moving = kind === 'still' || kind === 'unreadable' ? 0 : Math.max(video?.end ?? 0, audio?.end ?? 0);
  checkDuration(moving, limits);
  const upright = video?.picture.upright ?? { width: 0, height: 0 };
  const alpha = reader !== null && (await lookThrough(reader, kind, input, findings));
  return {
    container: input.container,
    kind,
    duration: moving,
    video,
    audio,
    coverArt: input.coverArt,
    problem: (input.video !== null && video === null) || kind === 'unreadable' ? 'media.no_frames' : null,
    facts: { kind, duration: moving, ...upright, alpha, sound: audio !== null },
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
  if (!input.animation && input.container !== 'avif_animation') return 'video';
  return video.frames === 1 ? 'still' : 'animation';
}

function checkAnimation(input: InputFile, { packets }: StreamScan, limits: MediaLimits): void {
  if (!input.animation && input.container !== 'avif_animation') return;
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
