import { avGetCodecName, type Frame, type Stream } from 'node-av/lib';
import { ExportError } from '../../errors.ts';
import type { MediaFacts } from '../../plan/media-facts.ts';
import { type FrameRate, frameRate, type Micros, micros, type Seconds } from '../../time.ts';
import type { MediaLimits } from '../input/media-limits.ts';
import { type InputFile, openInput } from '../input/open-input.ts';
import { presentationStart, streamStart } from '../input/presentation-start.ts';
import type { MediaContainer } from '../input/sniff-media.ts';
import type { PictureFacts } from '../picture/picture-facts.ts';
import { PictureReader } from '../picture/picture-reader.ts';
import { probeSound, type SoundFormat } from './probe-sound.ts';
import { type StreamScan, scanPackets } from './scan-packets.ts';
import { isTransparent } from './transparency.ts';

/** All that is known of an upload. */
export interface ProbedMedia {
  readonly container: MediaContainer;
  readonly kind: MediaFacts['kind'];
  /** From source time 0 to the end of the stream that lasts longest; 0 for stills. */
  readonly duration: Seconds;
  readonly video: ProbedVideo | null;
  readonly audio: ProbedAudio | null;
  /** A picture that only labels the file, and is not used. */
  readonly coverArt: boolean;
  /** Why a track that is there is not used: an error's code. */
  readonly problem: 'media.no_frames' | null;
  readonly facts: Omit<MediaFacts, 'hash'>;
}

export interface ProbedVideo {
  readonly codec: string;
  readonly picture: PictureFacts;
  /** The mean rate; null for stills. */
  readonly rate: FrameRate | null;
  readonly variableRate: boolean;
  /** Null where the file is too long to count. */
  readonly frames: number | null;
  /** When it begins and ends in source time. */
  readonly start: Seconds;
  readonly end: Seconds;
}

export interface ProbedAudio extends SoundFormat {
  /** When it begins and ends in source time; a start before 0 is not heard. */
  readonly start: Seconds;
  readonly end: Seconds;
}

/** A rate is told from so many frames or more; fewer are no evidence of anything. */
const FRAMES_FOR_A_RATE = 12;
/** A sound's header may know how much of the last packet is padding; it is believed when so close to the packets. */
const HEADER_TRUST_MICROS = 100_000;

/**
 * Finds out what a file is, by reading it rather than by believing its header: packets are counted, and the first frame
 * of the picture and of the sound are decoded. A file in which neither can be is `unreadable`, which is no error here.
 *
 * Decodes, so it belongs into the jail.
 *
 * @throws `media.missing`, `media.empty`, `media.unsupported`, `media.too_many_streams`, `media.too_many_pixels`,
 *   `media.too_many_frames`, `media.too_long`, `media.rate_too_high`, or the signal's reason.
 */
export async function probe(file: string, limits: MediaLimits, signal?: AbortSignal): Promise<ProbedMedia> {
  await using input = await openInput(file, limits, signal);
  const origin = presentationStart(input);
  const sound = await probeSound(input);
  await using scanned = await openInput(file, limits, signal);
  const scans = await scanPackets(scanned, signal);
  const videoScan = input.video && scans.get(input.video.index)!;
  if (videoScan !== null) checkAnimation(input, videoScan, limits);
  const reader = await openReader(file, limits, signal);
  try {
    return await describe(input, { origin, scans, sound, reader, limits });
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
  const { reader, sound, limits } = findings;
  const video = reader === null ? null : probedVideo(input, reader, findings);
  const audio = input.audio === null || sound === null ? null : { ...sound, ...soundSpan(input.audio, findings) };
  const kind = kindOf(input, video, audio);
  const moving = kind === 'still' || kind === 'unreadable' ? 0 : Math.max(video?.end ?? 0, audio?.end ?? 0);
  if (moving > limits.maxDurationSeconds) {
    const [found, most] = [Math.round(moving), limits.maxDurationSeconds];
    throw new ExportError('invalid', 'media.too_long', `The file lasts ${found} seconds; at most ${most} are allowed.`);
  }
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

/** A picture that cannot be decoded leaves a file's sound usable; any other failure is the caller's. */
async function openReader(file: string, limits: MediaLimits, signal?: AbortSignal): Promise<PictureReader | null> {
  try {
    return await PictureReader.open(file, limits, signal === undefined ? {} : { signal });
  } catch (error) {
    if (error instanceof ExportError && error.code === 'media.no_frames') return null;
    throw error;
  }
}

function kindOf(input: InputFile, video: ProbedVideo | null, audio: ProbedAudio | null): MediaFacts['kind'] {
  if (video === null) return audio === null ? 'unreadable' : 'audio';
  if (input.still) return 'still';
  if (!input.animation && input.container !== 'avif') return 'video';
  return video.frames === 1 ? 'still' : 'animation';
}

function probedVideo(input: InputFile, reader: PictureReader, { origin, scans, limits }: Findings): ProbedVideo {
  const stream = input.video!;
  const { packets, complete, last, end, times } = scans.get(stream.index)!;
  const rate = input.still ? null : meanRate(times);
  if (rate !== null && times.length >= FRAMES_FOR_A_RATE && rate.num / rate.den > limits.maxFps) {
    const found = Math.round(rate.num / rate.den);
    throw new ExportError(
      'invalid',
      'media.rate_too_high',
      `The video has ${found} frames a second; at most ${limits.maxFps} are allowed.`,
    );
  }
  const start = times.length === 0 ? 0 : Math.max(0, times[0]! - origin);
  // Where the last packet does not say how long it is shown, as long as the others on average.
  const shown = end === null ? start : end - origin;
  const unsaid = end === last && rate !== null ? (rate.den * 1e6) / rate.num : 0;
  return {
    codec: avGetCodecName(stream.codecpar.codecId) ?? 'unknown',
    picture: reader.picture,
    rate,
    variableRate: !input.still && isVariable(times, reader.picture),
    frames: input.still ? 1 : complete ? packets : null,
    start: seconds(start),
    end: input.still ? 0 : seconds(shown + unsaid),
  };
}

function soundSpan(stream: Stream, { origin, scans }: Findings): { start: Seconds; end: Seconds } {
  const { end } = scans.get(stream.index)!;
  const start = (streamStart(stream) ?? origin) - origin;
  const scannedEnd = (end ?? origin) - origin;
  const { num, den } = stream.timeBase;
  const headerEnd = start + (Number(stream.duration) * num * 1e6) / den;
  const trusted = Math.abs(headerEnd - scannedEnd) < HEADER_TRUST_MICROS;
  return { start: seconds(start), end: seconds(trusted ? Math.min(headerEnd, scannedEnd) : scannedEnd) };
}

/** Frames over the time from the first to the last. */
function meanRate(times: readonly number[]): FrameRate | null {
  const span = times.length < 2 ? 0 : times.at(-1)! - times[0]!;
  if (span <= 0) return null;
  const perSecond = ((times.length - 1) * 1e6) / span;
  // Rounded timestamps put the mean of a short clip slightly off; nobody films at 29.998.
  const nominal = [perSecond, Math.round(perSecond), (Math.round(perSecond) * 1000) / 1001];
  const near = nominal.find((rate) => rate > 0 && rate !== perSecond && Math.abs(rate / perSecond - 1) < 5e-4);
  return frameRate(near ?? perSecond);
}

/** Whether gaps between frames differ by more than the container's rounding explains. */
function isVariable(times: readonly number[], { timeBase }: PictureFacts): boolean {
  const gaps = times.slice(1).map((time, n) => time - times[n]!);
  if (gaps.length < 2) return false;
  const rounding = Math.max(2_000, (2 * timeBase.num * 1e6) / timeBase.den);
  const shortest = gaps.reduce((least, gap) => Math.min(least, gap));
  const longest = gaps.reduce((most, gap) => Math.max(most, gap));
  return longest - shortest > rounding;
}

function checkAnimation(input: InputFile, { packets }: StreamScan, limits: MediaLimits): void {
  if (!input.animation && input.container !== 'avif') return;
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

/** Whether the picture lets through what is behind it: looked at for pictures, taken from the format for video. */
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
    const frame: Frame = await reader.frameAt(at);
    if (isTransparent(frame)) return true;
  }
  return false;
}

function seconds(time: number): Seconds {
  return Math.round(time) / 1e6;
}
