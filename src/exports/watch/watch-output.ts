import type { Readable } from 'node:stream';
import { pictureInit, soundInit } from '../../iso/cmaf/init-segment.ts';
import { pictureSegment, type Segment, soundSegment } from '../../iso/cmaf/segment.ts';
import { chunkShare } from '../../iso/h264/level-buffer.ts';
import type { SampleTable } from '../../iso/mp4/sample-table.ts';
import { sha256 } from '../../platform/sha256.ts';
import type { TenantChunks } from '../../store/chunks/tenant-chunks.ts';
import type { Database } from '../../store/database.ts';
import type { ExportRecord, OutputRecord } from '../../store/records/export-record.ts';
import type { ExportRecords } from '../../store/records/export-records.ts';
import type { OpenSegment, StreamFacts, StreamsApi, StreamTrack, StreamView } from '../api/streams-api.ts';
import { partsOwner } from '../export-keys.ts';
import type { FollowExport } from '../follow/follow-export.ts';
import type { PlanStore } from '../plan-store.ts';
import type { Usage } from '../usage.ts';
import type { SegmentSource, SegmentSources } from './segment-sources.ts';
import { segmentStream } from './segment-stream.ts';
import { cutStream, type StreamCut, type StreamedPlan, targetSeconds } from './stream-cuts.ts';

interface WatchOutputPorts {
  readonly database: Database;
  readonly records: Pick<ExportRecords, 'find'>;
  readonly plans: Pick<PlanStore, 'outline' | 'currentOutline'>;
  readonly chunks: Pick<TenantChunks, 'known'>;
  readonly sources: SegmentSources;
  readonly follow: Pick<FollowExport, 'waitFor'>;
  readonly usage: Pick<Usage, 'countSent'>;
}

/** An output that can be watched, and its available part. */
interface Watched {
  readonly record: ExportRecord;
  readonly output: OutputRecord;
  readonly plan: StreamedPlan;
  readonly cuts: readonly StreamCut[];
  /** How many segments exist, from the first on without a gap. */
  readonly finished: number;
}

/**
 * Outputs as streams, while they are rendered and afterwards. (C49)
 * Until an output is completed, its segments are cut from its chunks, which the cache keeps. After that they are cut
 * from the finished video, which has the same samples, so the chunks can be removed. Addresses and bytes stay the same.
 */
export class WatchOutput implements StreamsApi {
  readonly #ports: WatchOutputPorts;

  constructor(ports: WatchOutputPorts) {
    this.#ports = ports;
  }

  async view(id: string, preset: string): Promise<StreamView | null> {
    const watched = await this.#find(id, preset);
    if (watched === null) return null;
    const { plan, cuts, finished } = watched;
    const track = (of: StreamTrack, seconds: (cut: StreamCut) => number) => ({
      init: initName(plan, of),
      segments: cuts
        .slice(0, finished)
        .map((cut, index) => ({ name: segmentName(plan, of, index), seconds: seconds(cut) })),
    });
    return {
      ended: finished === cuts.length,
      targetSeconds: targetSeconds(cuts),
      tracks: {
        video: track('video', ({ pictureSeconds }) => pictureSeconds),
        audio: track('audio', ({ soundSeconds }) => soundSeconds),
      },
      facts: () => this.#facts(watched),
    };
  }

  async waitFor(id: string, preset: string, segments: number, signal: AbortSignal): Promise<void> {
    await this.#ports.follow.waitFor(id, preset, signal, async () => {
      const watched = await this.#find(id, preset);
      return watched !== null && (watched.finished > segments || watched.finished === watched.cuts.length);
    });
  }

  async open(id: string, preset: string, track: StreamTrack, name: string): Promise<OpenSegment | null> {
    const watched = await this.#find(id, preset);
    const index = watched === null ? null : readSegmentName(watched.plan, track, name);
    if (watched === null || index === null || (index !== 'init' && index >= watched.finished)) return null;
    const source = await this.#source(watched, track, index === 'init' ? 0 : index);
    if (source === null) return null;
    try {
      const segment = index === 'init' ? init(source, track, watched) : cut(source, track, watched, index);
      return openSegment(segment, source, (stream) => this.#ports.usage.countSent(watched.record.tenant, stream));
    } catch (error) {
      await source[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** null if there is no segment yet, or if it has failed. */
  async #find(id: string, preset: string): Promise<Watched | null> {
    const { records, database, plans } = this.#ports;
    const record = await records.find(id, database);
    const output = record?.outputs.find((candidate) => candidate.preset === preset);
    if (record === null || output === undefined) return null;
    const completed = output.state === 'completed';
    // A cancelled export leaves outputs that never finish.
    const isGone = record.state === 'cancelled' || record.state === 'expired';
    if (!completed && (isGone || output.state === 'waiting' || output.state === 'failed')) return null;
    // A finished video keeps its plan; an unfinished one of another engine version is planned again.
    const plan = (await plans.currentOutline(id, output)) ?? (completed ? await plans.outline(id, preset) : null);
    if (plan === null) return null;
    const finished = completed ? plan.chunks.length : await this.#contiguous(record, preset, plan);
    return finished === 0 ? null : { record, output, plan, cuts: cutStream(plan), finished };
  }

  /** Without sound nothing can be watched; it is rendered right after the first chunk. */
  async #contiguous({ id, tenant }: ExportRecord, preset: string, { chunks, audio }: StreamedPlan): Promise<number> {
    const isThere = await this.#ports.chunks.known(tenant, partsOwner(id, preset));
    if (!isThere(audio.key)) return 0;
    const missing = chunks.findIndex(({ key }) => !isThere(key));
    return missing === -1 ? chunks.length : missing;
  }

  /** The file that a segment is cut from; null if it no longer exists. */
  async #source(watched: Watched, track: StreamTrack, index: number): Promise<SegmentSource | null> {
    const { sources } = this.#ports;
    const { record, output } = watched;
    if (output.state === 'completed') return sources.video(watched, track);
    const part = await (track === 'audio' ? sources.sound(watched) : sources.chunk(watched, index));
    if (part !== null) return part;
    // The output was completed a moment ago, and its parts were removed since.
    const now = await this.#find(record.id, output.preset);
    return now?.output.state === 'completed' ? sources.video(now, track) : null;
  }

  async #facts(watched: Watched): Promise<StreamFacts> {
    await using pictures = await this.#source(watched, 'video', 0);
    await using sound = await this.#source(watched, 'audio', 0);
    if (pictures === null || sound === null) throw new Error('a stream that was there is gone');
    const { table } = pictures;
    const isWhole = table.sizes.length === watched.plan.totalFrames;
    const known = { pictures: isWhole ? table : null, sound: sound.table, config: table.config };
    return streamFacts(watched.plan, watched.cuts, known);
  }
}

function init({ table: { config } }: SegmentSource, track: StreamTrack, { plan }: Watched): Segment {
  const { canvas, rate } = plan;
  const head = track === 'audio' ? soundInit(config) : pictureInit({ ...canvas, rate, config });
  return { head, extents: [], bytes: head.length };
}

function cut({ table, firstFrame }: SegmentSource, track: StreamTrack, watched: Watched, index: number): Segment {
  const { plan, cuts } = watched;
  const { frames, packets } = cuts[index]!;
  if (track === 'audio') return soundSegment(table, { index, packets, totalSamples: plan.audio.totalSamples });
  return pictureSegment(table, frames.start - firstFrame, { index, frames, rate: plan.rate });
}

function openSegment(segment: Segment, source: SegmentSource, counted: (stream: Readable) => Readable): OpenSegment {
  let released: Promise<void> | null = null;
  const release = async (): Promise<void> => (released ??= Promise.resolve(source[Symbol.asyncDispose]()));
  return {
    bytes: segment.bytes,
    // The head has the size of every sample, and the name says which samples they are.
    sha256: sha256(segment.head),
    stream: (range = { start: 0, end: segment.bytes }) => {
      const stream = segmentStream(segment, source.read, range);
      stream.once('close', () => void release());
      return counted(stream);
    },
    [Symbol.asyncDispose]: release,
  };
}

/** Long enough that no plan has two parts with the same prefix. */
const KEY_DIGITS = 12;

type Named = Pick<StreamedPlan, 'chunks' | 'audio'>;

/**
 * A segment's name has its number and the key of the chunk or sound that it is cut from. After a replan for a new
 * engine version, other bytes have other names, so a name can be cached permanently. (R18)
 */
function segmentName(plan: Named, track: StreamTrack, index: number): string {
  return `${index}-${keyOf(plan, track, index).slice(0, KEY_DIGITS)}.m4s`;
}

/** The name of the initialization segment follows from the first segment. */
function initName(plan: Named, track: StreamTrack): string {
  return `init-${keyOf(plan, track, 0).slice(0, KEY_DIGITS)}.mp4`;
}

/** The number of the segment with this name; null if this stream has no such name. */
function readSegmentName(plan: Named, track: StreamTrack, name: string): number | 'init' | null {
  if (name === initName(plan, track)) return 'init';
  const index = Number(/^(0|[1-9]\d{0,5})-/.exec(name)?.[1] ?? Number.NaN);
  return index < plan.chunks.length && name === segmentName(plan, track, index) ? index : null;
}

function keyOf({ chunks, audio }: Named, track: StreamTrack, index: number): string {
  return track === 'audio' ? audio.key : chunks[index]!.key;
}

/** The overhead of a segment, for each sample and once. */
const BYTES_PER_SAMPLE = 16;
const BYTES_PER_SEGMENT = 200;
const BITS_PER_BYTE = 8;

/** The known samples of a stream. */
interface KnownSamples {
  /** Of the finished video; null until it exists. */
  readonly pictures: SampleTable | null;
  readonly sound: SampleTable;
  /** `avcC` */
  readonly config: Uint8Array;
}

/** The properties of a stream in its playlists. */
function streamFacts(plan: StreamedPlan, cuts: readonly StreamCut[], known: KnownSamples): StreamFacts {
  const { pictures, sound, config } = known;
  const seen = cuts.map((cut) => ({
    seconds: cut.pictureSeconds,
    bits: pictures === null ? maxBits(plan, cut) : sentBits(pictures, cut.frames),
  }));
  const heard = cuts.map(({ packets, soundSeconds }) => ({ seconds: soundSeconds, bits: sentBits(sound, packets) }));
  return {
    codecs: [avcCodec(config), 'mp4a.40.2'],
    width: plan.canvas.width,
    height: plan.canvas.height,
    rate: plan.rate,
    peakBitRate: Math.ceil(peak(seen) + peak(heard)),
    averageBitRate: pictures === null ? null : Math.ceil(average(seen) + average(heard)),
  };
}

interface Sent {
  readonly bits: number;
  readonly seconds: number;
}

function sentBits({ sizes }: SampleTable, { start, end }: { readonly start: number; readonly end: number }): number {
  const bytes = sizes.subarray(start, end).reduce((sum, size) => sum + size, 0);
  return (bytes + aroundSamples(end - start)) * BITS_PER_BYTE;
}

/** The most that the encoder may put into a chunk, for any content. (R24) */
function maxBits({ canvas, rate }: StreamedPlan, { frames, pictureSeconds }: StreamCut): number {
  const { kbps, kbits } = chunkShare(canvas, rate);
  return (kbps * pictureSeconds + kbits) * 1000 + aroundSamples(frames.end - frames.start) * BITS_PER_BYTE;
}

function aroundSamples(samples: number): number {
  return samples * BYTES_PER_SAMPLE + BYTES_PER_SEGMENT;
}

function peak(segments: readonly Sent[]): number {
  return segments.reduce((max, { bits, seconds }) => Math.max(max, bits / seconds), 0);
}

function average(segments: readonly Sent[]): number {
  const [bits, seconds] = segments.reduce(([all, long], each) => [all + each.bits, long + each.seconds], [0, 0]);
  return bits! / seconds!;
}

/** Profile, constraints and level, as in the configuration (ISO/IEC 14496-15, 5.3.3.1). */
function avcCodec(config: Uint8Array): string {
  return `avc1.${Buffer.from(config.subarray(1, 4)).toString('hex')}`;
}
