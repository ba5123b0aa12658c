import { eachFrame } from '../../engine/encode/render-video.ts';
import { decodedTrack } from '../../engine/sound/decoded-track.ts';
import { readFrameNumber } from '../../fixtures/frame-number.ts';
import { findBursts } from '../../fixtures/tone-bursts.ts';
import { BEEP_EVERY_MS, NUMBER_MS } from './own-time.ts';

/** What a video of a take with `giveOwnTime` shows and sounds, against the page's clock. */

export const FPS = 30;
export const FRAME_MS = 1000 / FPS;
const READ = { width: 320, height: 180 };
/** The first preset is for reading: the first layout puts the camera into this box. */
export const PRESETS = [
  { name: 'preset_one', ...READ, aliases: ['landscape'] },
  { name: 'preset_two', width: 72, height: 128, aliases: ['portrait'] },
  { name: 'preset_three', width: 96, height: 96, aliases: ['square'] },
];
const CAM = { x: 0.674 * READ.width, y: 0.04 * READ.height, width: 0.304 * READ.width, height: 0.92 * READ.height };
/** The age of a picture when it is first shown: at the frame nearest to its time (R5), and its own number is rounded down. */
const DEFAULT_AGE_MS = NUMBER_MS / 2;
/** Numbers begin again after these. */
const NUMBERS_MS = 2 ** 16 * NUMBER_MS;

/** The number that each frame shows; null where none can be read: under a card that is held up the camera is dim. */
export async function readNumbers(file: string): Promise<(number | null)[]> {
  const numbers: (number | null)[] = [];
  await eachFrame(file, ({ data, linesize, width, height }) => {
    numbers.push(readFrameNumber({ data: data![0]!, stride: linesize[0]!, width, height }, CAM));
  });
  return numbers;
}

interface PicturesRead {
  /** Frames whose number and that of the previous frame could be read. */
  readonly frames: number;
  /** Those that show another picture than the frame before. The others show how many were dropped, and nothing of sync. */
  readonly fresh: number;
  /** By how many milliseconds fresh pictures are late, in the median. */
  readonly offMs: number;
}

/** How well pictures are in time, from one frame to another. */
export function readPictures(
  numbers: readonly (number | null)[],
  pageTime: (frame: number) => number,
  from = 0,
  to = numbers.length,
): PicturesRead {
  const offs: number[] = [];
  let frames = 0;
  for (let frame = Math.max(1, from); frame < to; frame += 1) {
    const [before, number] = [numbers[frame - 1], numbers[frame]];
    if (before == null || number == null) continue;
    frames += 1;
    if (number === before) continue;
    const age = (pageTime(frame) - number * NUMBER_MS) % NUMBERS_MS;
    offs.push((age > NUMBERS_MS / 2 ? age - NUMBERS_MS : age) - DEFAULT_AGE_MS);
  }
  return { frames, fresh: offs.length, offMs: median(offs) };
}

/** By how many milliseconds each beep of a video is late, with the second at which it is heard. */
export async function readBeeps(
  file: string,
  pageTime: (frame: number) => number,
): Promise<{ readonly seconds: number; readonly offMs: number }[]> {
  const { left } = await decodedTrack(file);
  return findBursts(left, 48_000).map((seconds) => {
    const at = pageTime(seconds * FPS);
    return { seconds, offMs: at - Math.round(at / BEEP_EVERY_MS) * BEEP_EVERY_MS };
  });
}

export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
