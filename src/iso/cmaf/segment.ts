import { type FrameRate, type Frames, type Range, SAMPLE_RATE } from '../../time.ts';
import type { Bytes } from '../bytes.ts';
import { ticksASecond } from '../mp4/assembled-tracks.ts';
import { AAC_FRAME_SAMPLES } from '../mp4/sample-entries.ts';
import { type SampleTable, unreadablePart } from '../mp4/sample-table.ts';
import { fragmentHead } from './fragment.ts';

/** A stretch of the file that a segment is cut from; `end` is excluded. */
export interface ByteExtent {
  readonly start: number;
  readonly end: number;
}

/** A CMAF segment: a head of our own making, then bytes of a file. */
export interface Segment {
  readonly head: Bytes;
  readonly extents: readonly ByteExtent[];
  readonly bytes: number;
}

/** Which pictures a segment has. */
interface PictureCut {
  /** Of the stream, from 0. */
  readonly index: number;
  readonly frames: Range<Frames>;
  readonly rate: FrameRate;
}

/**
 * Cuts pictures out of a file that has them from sample `first` on: a chunk has only these, a finished video has all.
 * Both give the same bytes: a segment depends only on its own samples and its place in the video.
 *
 * @throws `chunk.unreadable` if the samples are not exactly those frames, starting with a key frame.
 */
export function pictureSegment(table: SampleTable, first: number, { index, frames, rate }: PictureCut): Segment {
  const count = frames.end - frames.start;
  const ticks = ticksASecond(rate);
  const frameTicks = (ticks / rate.num) * rate.den;
  const places = shownPlaces(table, first, count);
  const keys = table.keys.slice(first, first + count);
  if (keys[0] !== 1) throw unreadablePart();
  const sizes = table.sizes.slice(first, first + count);
  const head = fragmentHead({
    number: index + 1,
    decodeTime: frames.start * frameTicks,
    sampleTicks: frameTicks,
    lastTicks: frameTicks,
    sizes,
    pictures: { keys, compositionOffsets: places.map((place, nth) => (place - nth) * frameTicks) },
  });
  return segmentOf(head, table, first, count);
}

/** The packets of a segment, and the number of samples that all of them give. */
interface SoundCut {
  readonly index: number;
  readonly packets: { readonly start: number; readonly end: number };
  readonly totalSamples: number;
}

/**
 * Cuts packets out of a file with the whole sound.
 *
 * @throws `chunk.unreadable` if it has more or fewer than the cuts were made for, or another priming.
 */
export function soundSegment(table: SampleTable, { index, packets, totalSamples }: SoundCut): Segment {
  const count = packets.end - packets.start;
  const isOurs = table.ticksASecond === SAMPLE_RATE && table.playedFrom === AAC_FRAME_SAMPLES;
  if (!isOurs || table.sizes.length !== packetCount(totalSamples)) throw unreadablePart();
  const isLast = packets.end === table.sizes.length;
  const head = fragmentHead({
    number: index + 1,
    decodeTime: packets.start * AAC_FRAME_SAMPLES,
    sampleTicks: AAC_FRAME_SAMPLES,
    // The encoder pads its last packet; the padding is not to be heard.
    lastTicks: isLast ? totalSamples - (packets.end - 2) * AAC_FRAME_SAMPLES : AAC_FRAME_SAMPLES,
    sizes: table.sizes.slice(packets.start, packets.end),
    pictures: null,
  });
  return segmentOf(head, table, packets.start, count);
}

/** How many packets a sound has: one of priming comes before the first sample. */
export function packetCount(totalSamples: number): number {
  return Math.ceil(totalSamples / AAC_FRAME_SAMPLES) + 1;
}

/** The display index of each sample in its segment. */
function shownPlaces({ compositionOffsets, sampleTicks, playedFrom }: SampleTable, first: number, count: number) {
  const places = new Int32Array(count);
  const seen = new Uint8Array(count);
  for (let nth = 0; nth < count; nth += 1) {
    // NaN beyond the table's end, and so never a valid place.
    const place = nth + (compositionOffsets[first + nth]! - playedFrom) / sampleTicks;
    if (!Number.isInteger(place) || seen[place] !== 0) throw unreadablePart();
    seen[place] = 1;
    places[nth] = place;
  }
  return places;
}

function segmentOf(head: Bytes, { offsets, sizes }: SampleTable, first: number, count: number): Segment {
  const extents: { start: number; end: number }[] = [];
  let bytes = head.length;
  for (let sample = first; sample < first + count; sample += 1) {
    const [start, size] = [offsets[sample]!, sizes[sample]!];
    const last = extents.at(-1);
    if (last?.end === start) last.end += size;
    else extents.push({ start, end: start + size });
    bytes += size;
  }
  return { head, extents: extents, bytes };
}
