import { ExportError } from '../../errors.ts';
import { type FrameRate, frameRate } from '../../time.ts';
import type { JoinedPart } from '../input/parts/joined-parts.ts';
import type { PictureFacts } from '../picture/picture-facts.ts';
import type { ProbedMedia } from './probed-media.ts';
import type { ProbedAudio } from './probed-sound.ts';
import type { ProbedVideo } from './probed-video.ts';

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
export function joinedMedia(parts: readonly JoinedPart[], probed: readonly ProbedMedia[]): ProbedMedia {
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
