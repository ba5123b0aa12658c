import { box, fourCharacters, fullBox, u32, u64, words } from '../box.ts';
import { type Bytes, joinBytes } from '../bytes.ts';

/** The only track of a CMAF stream. */
export const CMAF_TRACK = 1;

/** The samples of one segment; times in the track's ticks. */
interface Fragment {
  /** Counted from 1. */
  readonly number: number;
  /** When the first sample is decoded. */
  readonly decodeTime: number;
  /** Of each sample but the last. */
  readonly sampleTicks: number;
  readonly lastTicks: number;
  readonly sizes: Uint32Array;
  /** Of each sample: whether it needs no other, and how much later than it is decoded it is shown; null for sound. */
  readonly pictures: { readonly keys: Uint8Array; readonly compositionOffsets: Int32Array } | null;
}

/** Bits of ISO/IEC 14496-12, 8.8.3.1: whether a sample depends on others, and whether decoding can begin at it. */
export const SAMPLE_FLAGS = { key: 0x0200_0000, dependent: 0x0101_0000 } as const;

const TFHD = { defaultDuration: 0x08, baseIsMoof: 0x02_0000 } as const;
const TRUN = { dataOffset: 0x001, duration: 0x100, size: 0x200, flags: 0x400, compositionOffset: 0x800 } as const;
const MDAT_HEADER_BYTES = 8;

const STYP = box('styp', 'cmfs', u32(0), 'iso6', 'cmfc', 'cmfs');

/** All of a CMAF segment that comes before its samples' bytes, which follow one behind the other. */
export function fragmentHead(fragment: Fragment): Bytes {
  const mediaBytes = fragment.sizes.reduce((sum, size) => sum + size, 0);
  // The run contains the offset of the data, counted from its box, whose length does not depend on the offset.
  const { length } = movieFragment(fragment, 0);
  return joinBytes([
    STYP,
    movieFragment(fragment, length + MDAT_HEADER_BYTES),
    u32(mediaBytes + MDAT_HEADER_BYTES),
    fourCharacters('mdat'),
  ]);
}

function movieFragment(fragment: Fragment, dataOffset: number): Bytes {
  const { number, decodeTime, sampleTicks } = fragment;
  return box(
    'moof',
    fullBox('mfhd', 0, 0, u32(number)),
    box(
      'traf',
      fullBox('tfhd', 0, TFHD.baseIsMoof + TFHD.defaultDuration, u32(CMAF_TRACK, sampleTicks)),
      fullBox('tfdt', 1, 0, u64(decodeTime)),
      trackRun(fragment, dataOffset),
    ),
  );
}

/**
 * Pictures may be shown earlier than they are decoded (version 1): so each is shown at its own frame's time, without an
 * edit list, which some players ignore.
 */
function trackRun({ sizes, sampleTicks, lastTicks, pictures }: Fragment, dataOffset: number): Bytes {
  const durations = lastTicks !== sampleTicks;
  const fields =
    TRUN.dataOffset +
    TRUN.size +
    (durations ? TRUN.duration : 0) +
    (pictures === null ? 0 : TRUN.flags + TRUN.compositionOffset);
  const samples: number[] = [];
  for (const [n, size] of sizes.entries()) {
    if (durations) samples.push(n === sizes.length - 1 ? lastTicks : sampleTicks);
    samples.push(size);
    if (pictures === null) continue;
    samples.push(pictures.keys[n] === 1 ? SAMPLE_FLAGS.key : SAMPLE_FLAGS.dependent);
    samples.push(pictures.compositionOffsets[n]!);
  }
  return fullBox('trun', 1, fields, u32(sizes.length, dataOffset), words(samples));
}
