import { AVCOL_PRI_BT2020, AVCOL_PRI_SMPTE432, AVCOL_TRC_ARIB_STD_B67, AVCOL_TRC_SMPTE2084 } from 'node-av/constants';
import type { PictureFacts } from '../../src/engine/picture/picture-facts.ts';
import type { ProbedMedia } from '../../src/engine/probe/probed-media.ts';
import { CEILING } from '../../src/sound/true-peak-limiter.ts';
import { ssim } from '../../test/browser/ssim.ts';
import type { Picture } from '../../test/paint/picture-difference.ts';
import { COMPARED_RATE, type DecodedFrame, ffmpegFrames, ffmpegSound, readPicture, soundDelay } from './ffmpeg.ts';
import { type SampleFrame, type SampleSound, SOUND_SECONDS } from './sample.ts';

/** Below this likeness, or with channels this far off on average, a frame is another picture. Scalers differ by less. */
const MIN_SSIM = 0.9;
const MAX_MEAN = 6;
/** By how much another frame must be more similar to count as the displayed one. */
const MUCH_MORE = 0.005;
/**
 * Sound: the similarity, the difference in time, and the difference in level. AAC at 320 kb/s costs little of the
 * first.
 */
const MIN_CORRELATION = 0.9;
/** At this similarity no lag is searched for. */
const CERTAIN = 0.999;
const MAX_LAG_MS = 2;
const MAX_LEVEL_DB = 1;
/** How far apart in time two sounds are looked for. */
const LAG_SAMPLES = COMPARED_RATE / 10;
/** Below −60 dB what AAC leaves out is as loud as the sound itself. */
const TOO_QUIET = 0.001;
/** The product fades the edges of a clip; they are left out. */
const EDGE_SAMPLES = COMPARED_RATE / 100;

/** What a comparison found: words for the line, and whether something differs. */
export interface Finding {
  readonly words: string;
  readonly differs: boolean;
}

const same = (words: string): Finding => ({ words, differs: false });
const differs = (words: string): Finding => ({ words, differs: true });

/** The rendered frame against the one that ffmpeg decodes for the same moment. */
export async function comparePicture(file: string, { video }: ProbedMedia, frame: SampleFrame): Promise<Finding> {
  const decoded = await ffmpegFrames(file, video!.picture, frame);
  if (decoded.length === 0) return same('frame: ffmpeg decodes none');
  const ours = await readPicture(frame.file, frame);
  const expected = frameShownAt(decoded, frame, video!.start);
  const wanted = ssim(ours, decoded[expected]!);
  // No other frame can be much more similar.
  const likeness = wanted > 1 - MUCH_MORE ? [] : decoded.map((theirs) => ssim(ours, theirs));
  const most = Math.max(wanted, ...likeness);
  const shown = most - wanted < MUCH_MORE ? expected : likeness.indexOf(most);
  const mean = meanDifference(ours, decoded[shown]!);
  const words = `frame: SSIM ${(likeness[shown] ?? wanted).toFixed(3)}, mean ${mean.toFixed(1)}`;
  if (shown !== expected) return differs(`${words}, is frame ${shown} instead of ${expected}`);
  const unlike = unlikeFfmpeg(video!.picture);
  if (unlike !== null) return same(`${words} (${unlike}: not judged)`);
  return wanted < MIN_SSIM || mean > MAX_MEAN ? differs(words) : same(words);
}

/** What the product does to a picture and ffmpeg does not; null if both do the same. */
function unlikeFfmpeg({ color, visible, width, height }: PictureFacts): string | null {
  if (color.transfer === AVCOL_TRC_SMPTE2084 || color.transfer === AVCOL_TRC_ARIB_STD_B67) return 'tone-mapped';
  if (color.primaries === AVCOL_PRI_BT2020 || color.primaries === AVCOL_PRI_SMPTE432) return 'from a wider gamut';
  return visible.width < width || visible.height < height ? 'cropped by its container' : null;
}

/** The last frame that has begun at the moment the product shows; ffmpeg's timestamps count from its first frame. */
function frameShownAt(decoded: readonly DecodedFrame[], { at }: SampleFrame, startSeconds: number): number {
  const first = decoded[0]!.time;
  const after = decoded.findIndex(({ time }) => time - first + startSeconds > (at + 1) / 1e6);
  return Math.max(0, (after === -1 ? decoded.length : after) - 1);
}

function meanDifference(a: Picture, b: Picture): number {
  let sum = 0;
  for (let at = 0; at < a.rgba.length; at++) sum += Math.abs(a.rgba[at]! - b.rgba[at]!);
  return sum / (a.width * a.height * 3);
}

/** The rendered sound against ffmpeg's: over the whole file, and after a seek. */
export async function compareSound(
  file: string,
  { audio }: ProbedMedia,
  { whole, sought }: SampleSound,
): Promise<Finding> {
  const theirs = await ffmpegSound(file, audio!.channels, SOUND_SECONDS);
  if (theirs.samples.length === 0) return same('sound: ffmpeg decodes none');
  const start = Math.round((audio!.start + (await soundDelay(file, theirs))) * COMPARED_RATE);
  const { samples: rendered } = await ffmpegSound(whole, 2, SOUND_SECONDS);
  const ends = [rendered.length, start + theirs.samples.length, Math.round(audio!.end * COMPARED_RATE)];
  const end = Math.max(0, Math.min(...ends));
  const expected = placed(theirs.samples, start, end);
  const { samples: part } = await ffmpegSound(sought.file, 2, SOUND_SECONDS);
  const from = Math.round(sought.from * COMPARED_RATE);
  const findings = [
    // Both end with the sound, where the product fades it out.
    likeness('sound', rendered.subarray(0, end), expected, audio!.channels),
    likeness(
      `from ${sought.from} s`,
      part.subarray(0, Math.max(0, end - from)),
      expected.subarray(from),
      audio!.channels,
    ),
  ];
  return { words: findings.map(({ words }) => words).join('; '), differs: findings.some((each) => each.differs) };
}

/** The windows of a sound that are compared, each at its own offset. */
const WINDOWS = 12;
const WINDOW_SAMPLES = COMPARED_RATE / 2;

/** Compares a rendered sound in windows: an offset that is not the same everywhere is a cut, or a clock that drifts. */
function likeness(name: string, ours: Float32Array, theirs: Float32Array, channels: number): Finding {
  const length = Math.min(ours.length, theirs.length);
  const [level, wanted] = [rootMeanSquare(ours.subarray(0, length)), rootMeanSquare(theirs.subarray(0, length))];
  if (Number.isNaN(wanted)) return same(`${name}: ffmpeg decodes what are no numbers`);
  if (Math.max(wanted, level) < TOO_QUIET) return same(`${name}: too quiet to compare`);
  const windows = Array.from({ length: WINDOWS }, (_, n) => {
    const from = Math.round(((length - WINDOW_SAMPLES) * n) / (WINDOWS - 1));
    return length <= WINDOW_SAMPLES ? 0 : from;
  });
  const found = [...new Set(windows)]
    .map((from) => [ours, theirs].map((samples) => samples.subarray(from, Math.min(length, from + WINDOW_SAMPLES))))
    .filter((pair) => pair.some((samples) => rootMeanSquare(samples) >= TOO_QUIET))
    .map(([one, other]) => bestLag(one!, other!));
  if (found.length === 0) return same(`${name}: too quiet to compare`);
  const least = Math.min(...found.map(({ correlation }) => correlation));
  const lags = found.map(({ lag }) => (lag / COMPARED_RATE) * 1000);
  const [earliest, latest] = [Math.min(...lags), Math.max(...lags)];
  const decibels = 20 * Math.log10(level / wanted);
  const offset = earliest === latest ? `${latest.toFixed(1)} ms` : `${earliest.toFixed(1)} to ${latest.toFixed(1)} ms`;
  const isLimited = theirs.subarray(0, length).some((sample) => Math.abs(sample) > CEILING);
  const words = `${name}: correlation ${least.toFixed(3)}, ${offset}, ${decibels.toFixed(1)} dB${isLimited ? ', limited' : ''}`;
  // Programs differ in how loud they mix more channels down to two, and the product's limiter turns loud sound down.
  const isLevel = channels > 2 || (decibels <= MAX_LEVEL_DB && (isLimited || decibels >= -MAX_LEVEL_DB));
  const isOnTime = Math.max(-earliest, latest) <= MAX_LAG_MS;
  return least >= MIN_CORRELATION && isOnTime && isLevel ? same(words) : differs(words);
}

/** The sound from source time 0 on, where its first sample is at `start`. */
function placed(samples: Float32Array, start: number, length: number): Float32Array {
  const out = new Float32Array(length);
  const heard = samples.subarray(Math.max(0, -start));
  const at = Math.max(0, start);
  out.set(heard.subarray(0, Math.max(0, length - at)), Math.min(at, length));
  return out;
}

function rootMeanSquare(samples: Float32Array): number {
  const inner = samples.subarray(EDGE_SAMPLES, -EDGE_SAMPLES);
  return Math.sqrt(inner.reduce((sum, value) => sum + value * value, 0) / Math.max(1, inner.length));
}

/** By how much ours is late at the greatest similarity. */
function bestLag(ours: Float32Array, theirs: Float32Array): { lag: number; correlation: number } {
  let best = { lag: 0, correlation: -1 };
  const atOnce = correlationAt(ours, theirs, 0);
  if (atOnce > CERTAIN) return { lag: 0, correlation: atOnce };
  for (let step = 0; step <= 2 * LAG_SAMPLES; step++) {
    // From no lag outwards, so that of equals the nearest wins.
    const lag = step % 2 === 0 ? -step / 2 : (step + 1) / 2;
    const correlation = correlationAt(ours, theirs, lag);
    if (correlation > best.correlation + 1e-6) best = { lag, correlation };
  }
  return best;
}

/** Of two sounds, at least this share is compared: what little is left at a long lag is alike by chance. */
const MIN_OVERLAP = 0.5;

function correlationAt(a: Float32Array, b: Float32Array, lag: number): number {
  let [both, ofA, ofB] = [0, 0, 0];
  const from = Math.max(0, lag) + EDGE_SAMPLES;
  const to = Math.min(a.length, b.length + lag) - EDGE_SAMPLES;
  if (to - from < MIN_OVERLAP * (Math.min(a.length, b.length) - 2 * EDGE_SAMPLES)) return 0;
  for (let at = from; at < to; at++) {
    const [p, q] = [a[at]!, b[at - lag]!];
    both += p * q;
    ofA += p * p;
    ofB += q * q;
  }
  return ofA === 0 || ofB === 0 ? 0 : both / Math.sqrt(ofA * ofB);
}
