import { ExportError } from '../../errors.ts';
import type { RenderPlan } from '../../plan/model/render-plan.ts';
import { type FrameRate, SAMPLE_RATE, type Samples } from '../../time.ts';
import { areEqualBytes } from '../bytes.ts';
import {
  AAC_CHANNELS,
  AAC_FRAME_SAMPLES,
  aacEntry,
  bitRates,
  h264Entry,
  SOUND_HEADER,
  TEXT_HEADER,
  textEntry,
  VIDEO_HEADER,
} from './sample-entries.ts';
import type { PacketIndex } from './sample-table.ts';
import type { MovieTrack } from './track.ts';

/** The parts of a plan that a finished file needs. */
export type AssembledPlan = Pick<RenderPlan, 'title' | 'canvas' | 'rate' | 'totalFrames' | 'chunks' | 'chapters'> & {
  readonly audio: Pick<RenderPlan['audio'], 'totalSamples'>;
  /** Where in the sound's file the sound of this one begins; absent: it is all of it. */
  readonly soundStart?: Samples | undefined;
};

const VIDEO_TRACK = 1;
const SOUND_TRACK = 2;
const CHAPTER_TRACK = 3;

/** The picture: every chunk's frames, checked to be those the plan has there. */
export function videoTrack(
  { canvas, rate, chunks, totalFrames, chapters }: AssembledPlan,
  parts: readonly PacketIndex<unknown>[],
): Omit<MovieTrack, 'runs'> {
  const compositionOffsets: number[] = [];
  const keys: number[] = [];
  const config = parts[0]?.config;
  if (config === undefined || parts.length !== chunks.length)
    throw new Error(`${parts.length} files for ${chunks.length} chunks`);
  for (const [index, part] of parts.entries()) {
    const { start, end } = chunks[index]!;
    const places = framePlaces(part, rate);
    if (!areEqualBytes(part.config, config) || part.keys[0] !== 1 || !areAll(places, end - start)) {
      throw new ExportError('internal', 'chunk.unreadable', `Part ${index} of the video is not what was rendered.`);
    }
    for (const [nth, place] of places.entries()) {
      if (part.keys[nth]) keys.push(compositionOffsets.length);
      // Shown as frame `start + place`, decoded as frame `start + nth`.
      compositionOffsets.push(place - nth);
    }
  }
  const frameTicks = (ticksASecond(rate) / rate.num) * rate.den;
  const sizes = parts.flatMap((part) => [...part.sizes]);
  return {
    id: VIDEO_TRACK,
    ticksASecond: ticksASecond(rate),
    durations: frameTicks,
    sizes,
    // Signed, so that the track starts at 0 without an edit list. (R34)
    compositionOffsets: compositionOffsets.map((offset) => offset * frameTicks),
    keys,
    roll: 0,
    played: { start: 0, length: totalFrames * frameTicks },
    enabled: true,
    handler: { type: 'vide', name: 'Video' },
    mediaHeader: VIDEO_HEADER,
    sampleEntry: h264Entry(canvas.width, canvas.height, config, bitRates(sizes, rate.num / rate.den)),
    width: canvas.width,
    height: canvas.height,
    chapters: chapters.length === 0 ? null : CHAPTER_TRACK,
  };
}

/** The sound, from the first audible sample. */
export function soundTrack({ audio, chapters }: AssembledPlan, sound: PacketIndex<unknown>): Omit<MovieTrack, 'runs'> {
  return {
    id: SOUND_TRACK,
    ticksASecond: SAMPLE_RATE,
    durations: AAC_FRAME_SAMPLES,
    sizes: [...sound.sizes],
    compositionOffsets: null,
    keys: null,
    roll: -1,
    // The priming is before time 0 and is skipped, so that the sound starts with the picture. (R16)
    played: { start: Math.max(0, -sound.times[0]!), length: audio.totalSamples },
    enabled: true,
    handler: { type: 'soun', name: 'Sound' },
    mediaHeader: SOUND_HEADER,
    sampleEntry: aacEntry(
      SAMPLE_RATE,
      AAC_CHANNELS,
      sound.config,
      bitRates([...sound.sizes], SAMPLE_RATE / AAC_FRAME_SAMPLES),
    ),
    width: 0,
    height: 0,
    chapters: chapters.length === 0 ? null : CHAPTER_TRACK,
  };
}

/** The chapters' titles, each as long as its chapter. */
export function chapterTrack(
  { chapters, rate, totalFrames }: AssembledPlan,
  titles: readonly Uint8Array[],
): Omit<MovieTrack, 'runs'> {
  const frameTicks = (ticksASecond(rate) / rate.num) * rate.den;
  return {
    id: CHAPTER_TRACK,
    ticksASecond: ticksASecond(rate),
    durations: chapters.map(({ start, end }) => (end - start) * frameTicks),
    sizes: titles.map(({ length }) => length),
    compositionOffsets: null,
    keys: null,
    roll: 0,
    played: { start: 0, length: totalFrames * frameTicks },
    enabled: false,
    handler: { type: 'text', name: 'Chapters' },
    mediaHeader: TEXT_HEADER,
    sampleEntry: textEntry(),
    width: 0,
    height: 0,
    chapters: null,
  };
}

/** A whole number of ticks a frame, and no fewer than players expect. */
export function ticksASecond({ num }: FrameRate): number {
  let ticks = num;
  while (ticks < 10_000) ticks *= 2;
  return ticks;
}

/** Which frame of its chunk each packet is shown as. */
function framePlaces({ times, ticksASecond }: PacketIndex<unknown>, { num, den }: FrameRate): Float64Array {
  return times.map((time) => Math.round((time * num) / (ticksASecond * den)));
}

/** Whether the places are 0 … count − 1, each once. */
function areAll(places: Float64Array, count: number): boolean {
  const seen = new Set(places);
  return places.length === count && seen.size === count && places.every((place) => place >= 0 && place < count);
}
