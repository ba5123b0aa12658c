import { type BoxContent, box, fullBox, u8, u16, u32, u64, words, zeros } from '../box.ts';
import { type Bytes, joinBytes } from '../bytes.ts';

/** A run of adjacent samples in the file. */
export interface SampleRun {
  readonly samples: number;
  /** From the first byte of the media data. */
  readonly offset: number;
}

/** One track: its samples, their positions and their times. All times in its own ticks. */
export interface MovieTrack {
  readonly id: number;
  readonly ticksASecond: number;
  /** Of one sample, or of each. */
  readonly durations: number | readonly number[];
  readonly sizes: readonly number[];
  /** How much later than it is decoded each sample is shown, negative if earlier; null: all at the same time. */
  readonly compositionOffsets: readonly number[] | null;
  /** Indices of samples that decode alone; null: all of them. */
  readonly keys: readonly number[] | null;
  /** From how many samples before it a decoder has to begin so that a sample comes out right; 0, or negative. */
  readonly roll: number;
  readonly runs: readonly SampleRun[];
  /** The part of it that is played: its start and length; the rest prepares the decoder. */
  readonly played: { readonly start: number; readonly length: number };
  readonly enabled: boolean;
  readonly handler: { readonly type: 'vide' | 'soun' | 'text'; readonly name: string };
  readonly mediaHeader: BoxContent;
  readonly sampleEntry: BoxContent;
  /** On the screen; 0 if the track is not visible. */
  readonly width: number;
  readonly height: number;
  /** The track with its chapters. */
  readonly chapters: number | null;
}

/** Where in the file the media data begins, and whether places in it need 64 bits. */
export interface MediaPlace {
  readonly start: number;
  readonly wide: boolean;
}

/** Unity, as 16.16 and 2.30 fixed point. */
export const MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
const UNDETERMINED_LANGUAGE = 0x55c4;
const ENABLED = 1;
const IN_MOVIE = 2;

/** The track's box. `movieTicks` is the time scale of the movie's header. */
export function trackBox(track: MovieTrack, movieTicks: number, place: MediaPlace): Bytes {
  const { played, handler, ticksASecond } = track;
  const length = movieLength(track, movieTicks);
  const sound = handler.type === 'soun';
  return box(
    'trak',
    fullBox(
      'tkhd',
      0,
      IN_MOVIE + (track.enabled ? ENABLED : 0),
      u32(0, 0, track.id, 0, length),
      zeros(8),
      u16(0, sound ? 1 : 0, sound ? 0x100 : 0, 0),
      MATRIX,
      u32(track.width * 0x10000, track.height * 0x10000),
    ),
    isPlayedWhole(track) ? [] : box('edts', fullBox('elst', 0, 0, u32(1, length, played.start), u16(1, 0))),
    track.chapters === null ? [] : box('tref', box('chap', u32(track.chapters))),
    box(
      'mdia',
      fullBox('mdhd', 0, 0, u32(0, 0, ticksASecond, totalDuration(track)), u16(UNDETERMINED_LANGUAGE, 0)),
      fullBox('hdlr', 0, 0, u32(0), handler.type, zeros(12), handler.name, u8(0)),
      box(
        'minf',
        track.mediaHeader,
        box('dinf', fullBox('dref', 0, 0, u32(1), fullBox('url ', 0, 1))),
        sampleTable(track, place),
      ),
    ),
  );
}

/** Such a track needs no edit list: some editors and players ignore one, or show it as a cut. (R34) */
function isPlayedWhole(track: MovieTrack): boolean {
  return track.played.start === 0 && track.played.length === totalDuration(track);
}

/** How long the track is played, in the movie's ticks. */
export function movieLength({ played, ticksASecond }: MovieTrack, movieTicks: number): number {
  return Math.round((played.length * movieTicks) / ticksASecond);
}

function totalDuration({ durations, sizes }: MovieTrack): number {
  return typeof durations === 'number' ? durations * sizes.length : durations.reduce((sum, each) => sum + each, 0);
}

function sampleTable(track: MovieTrack, { start, wide }: MediaPlace): Bytes {
  const { sizes, durations, compositionOffsets, keys, runs } = track;
  const each = typeof durations === 'number' ? ([[sizes.length, durations]] as const) : repeats(durations);
  const offsets = runs.map(({ offset }) => start + offset);
  return box(
    'stbl',
    fullBox('stsd', 0, 0, u32(1), track.sampleEntry),
    fullBox('stts', 0, 0, u32(each.length, ...each.flat())),
    keys === null ? [] : fullBox('stss', 0, 0, u32(keys.length), words(keys.map((index) => index + 1))),
    compositionOffsets?.some((offset) => offset !== 0) ? compositionOffsetBox(compositionOffsets) : [],
    runBox(runs),
    fullBox('stsz', 0, 0, u32(0, sizes.length), words(sizes)),
    fullBox(wide ? 'co64' : 'stco', 0, 0, u32(offsets.length), wide ? offsets.map((at) => u64(at)) : words(offsets)),
    track.roll === 0 ? [] : rollBoxes(track.roll, sizes.length),
  );
}

/** Puts all samples into one group that declares how early a decoder has to begin (ISO/IEC 14496-12, 10.1). */
function rollBoxes(roll: number, samples: number): Bytes {
  const distance = u16(0x10000 + roll);
  return joinBytes([
    fullBox('sgpd', 1, 0, 'roll', u32(distance.length, 1), distance),
    fullBox('sbgp', 0, 0, 'roll', u32(1, samples, 1)),
  ]);
}

/** Version 1, whose offsets are signed: a sample may be shown before its decode time. */
function compositionOffsetBox(offsets: readonly number[]): Bytes {
  const runs = repeats(offsets);
  return fullBox('ctts', 1, 0, u32(runs.length), words(runs.flat()));
}

/** Samples per run, as entries for each change. */
function runBox(runs: readonly SampleRun[]): Bytes {
  const entries: number[] = [];
  for (const [index, { samples }] of runs.entries()) {
    if (index === 0 || samples !== runs[index - 1]!.samples) entries.push(index + 1, samples, 1);
  }
  return fullBox('stsc', 0, 0, u32(entries.length / 3), words(entries));
}

function repeats(values: readonly number[]): [count: number, value: number][] {
  const runs: [number, number][] = [];
  for (const value of values) {
    const last = runs.at(-1);
    if (last?.[1] === value) last[0] += 1;
    else runs.push([1, value]);
  }
  return runs;
}
