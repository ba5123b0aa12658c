import { open, rename, rm } from 'node:fs/promises';
import { AV_FRAME_DATA_VIDEO_HINT, AV_VIDEO_HINT_TYPE_CHANGED, AVFMT_FLAG_BITEXACT } from 'node-av/constants';
import { FormatContext, type Frame, Packet, type Rational, type Stream } from 'node-av/lib';
import { LevelBuffer } from '../../iso/h264/level-buffer.ts';
import { type CodedPicture, RepeatingStream, streamConfig } from '../../iso/h264/repeating-stream.ts';
import { cutsIn, materialOf } from '../../plan/frame/frame-runs.ts';
import type { Rect } from '../../plan/model/canvas.ts';
import type { RenderPlan } from '../../plan/model/render-plan.ts';
import { type Frames, frameAt, type Range } from '../../time.ts';
import type { CanvasFrame } from '../compose/compositor.ts';
import type { FramePool } from '../libav/frame-pool.ts';
import { mustSucceed } from '../libav/libav-call.ts';
import { VideoEncoder } from './video-encoder.ts';

/** A range of the video and the file it goes to. */
export interface ChunkJob {
  readonly range: Range<Frames>;
  readonly out: string;
}

/**
 * x264 gives a picture more bits the longer it is shown, which is right: flaws are easy to see on a still board. With
 * the whole length, it spent 29 % more on ten seconds of board than on the same frames one by one; with this as the
 * longest duration, it made a file of the same size and the same SSIM.
 */
const LONGEST_SECONDS = 1 / 6;

/** A picture that waits for the encoder: its duration is unknown until the next one comes. */
interface Held {
  readonly frame: Frame;
  readonly at: number;
  readonly isKey: boolean;
  readonly changed: readonly Rect[] | null;
  repeats: number;
}

/**
 * A chunk being encoded, with its file. Owns both.
 *
 * The encoder sees each picture once; the frames that repeat it cost almost nothing. (R22) Key frames come at fixed
 * distances from the chunk's start, so that players can seek into a still picture (R17), and at the cuts of moving
 * pictures, where the encoder does not look for them.
 */
export class ChunkEncoding implements AsyncDisposable {
  readonly job: ChunkJob;
  readonly #keyframeEvery: number;
  readonly #cuts: ReadonlySet<Frames>;
  readonly #encoder: VideoEncoder;
  readonly #stream: RepeatingStream;
  readonly #file: ChunkFile;
  readonly #buffer: LevelBuffer;
  readonly #pool: FramePool;
  readonly #longestTicks: number;
  #held: Held | null = null;
  /** The encoder's own clock. */
  #ticks = 0;

  private constructor(plan: RenderPlan, job: ChunkJob, encoder: VideoEncoder, file: ChunkFile, pool: FramePool) {
    this.job = job;
    this.#keyframeEvery = plan.encoder.keyframeEvery;
    this.#cuts = materialOf(plan, job.range) === 'moved' ? cutsIn(plan, job.range) : new Set();
    this.#longestTicks = Math.max(1, frameAt(LONGEST_SECONDS, plan.rate));
    this.#encoder = encoder;
    this.#buffer = new LevelBuffer(plan.canvas, plan.rate);
    this.#stream = new RepeatingStream(encoder.parameterSets, (picture) => {
      this.#buffer.add(picture.bytes.length);
      file.write(picture);
    });
    this.#file = file;
    this.#pool = pool;
  }

  /** @param capped see `EncodingOptions`. */
  static async start(plan: RenderPlan, job: ChunkJob, pool: FramePool, capped: boolean): Promise<ChunkEncoding> {
    const encoder = await VideoEncoder.open(plan, { capped, material: materialOf(plan, job.range) });
    try {
      return new ChunkEncoding(plan, job, encoder, await ChunkFile.create(job.out, encoder), pool);
    } catch (error) {
      encoder[Symbol.dispose]();
      throw error;
    }
  }

  /** Whether the output so far keeps to its declared level, with any chunks beside it. (R24) */
  get withinLevel(): boolean {
    return this.#buffer.kept;
  }

  /** Frame `n`, in order. Its pixels stay the caller's. */
  async encode({ frame, isRepeat, changed }: CanvasFrame, n: Frames): Promise<void> {
    const at = n - this.job.range.start;
    const isKey = at % this.#keyframeEvery === 0 || this.#cuts.has(n);
    if (isRepeat && !isKey && this.#held !== null) {
      this.#held.repeats += 1;
      return;
    }
    await this.#encodeHeld();
    this.#held = { frame: this.#pool.share(frame), at, isKey, changed, repeats: 0 };
  }

  async drain(): Promise<void> {
    await this.#encodeHeld();
    await this.#encoder.finish((packet) => this.#stream.write(packet));
    this.#stream.end();
    this.#encoder[Symbol.dispose]();
  }

  commit(): Promise<number> {
    return this.#file.commit();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#letGo();
    await this.#file[Symbol.asyncDispose]();
    this.#encoder[Symbol.dispose]();
  }

  async #encodeHeld(): Promise<void> {
    if (this.#held === null) return;
    const { frame, at, isKey, changed, repeats } = this.#held;
    const ticks = this.#ticks;
    this.#ticks += Math.min(1 + repeats, this.#longestTicks);
    this.#stream.expect(ticks, { at, repeats });
    if (changed !== null && !isKey) hintChanged(frame, changed);
    const kind = isKey ? 'key' : repeats > 0 ? 'anchor' : 'any';
    try {
      await this.#encoder.encode(frame, ticks, kind, (packet) => this.#stream.write(packet));
    } finally {
      this.#letGo();
    }
  }

  #letGo(): void {
    if (this.#held !== null) this.#pool.give(this.#held.frame);
    this.#held = null;
  }
}

/** `AVVideoHint` and `AVVideoRect` in memory with 64-bit addresses, as on every platform of node-av. */
const HINT_BYTES = 32;
const RECT_BYTES = 16;

/**
 * Hints to the encoder that a frame equals the one before it outside of these parts, so that it need not compare them.
 * The hint belongs to this reference to the frame, not to the frame.
 */
function hintChanged(frame: Frame, parts: readonly Rect[]): void {
  const hint = frame.newSideData(AV_FRAME_DATA_VIDEO_HINT, HINT_BYTES + RECT_BYTES * parts.length);
  hint.fill(0);
  hint.writeUInt32LE(parts.length, 0);
  hint.writeUInt32LE(HINT_BYTES, 8);
  hint.writeUInt32LE(RECT_BYTES, 16);
  hint.writeUInt32LE(AV_VIDEO_HINT_TYPE_CHANGED, 24);
  for (const [index, { x, y, width, height }] of parts.entries()) {
    for (const [field, value] of [x, y, width, height].entries()) {
      hint.writeUInt32LE(value, HINT_BYTES + RECT_BYTES * index + 4 * field);
    }
  }
}

/**
 * The file of one chunk: an MP4 with a picture track only, which begins with a key frame at time 0. Assembly copies its
 * packets unchanged.
 *
 * All or nothing: the file has a temporary name until it is complete, and is removed if it never is.
 */
class ChunkFile implements AsyncDisposable {
  readonly #out: string;
  readonly #format: FormatContext;
  readonly #stream: Stream;
  readonly #frameTime: Rational;
  /** By how many frames decoding must be ahead of showing. */
  readonly #delay: number;
  readonly #packet = new Packet();
  #pictures = 0;
  #isOpen = true;
  #committed = false;

  private constructor(out: string, format: FormatContext, stream: Stream, encoder: VideoEncoder) {
    this.#out = out;
    this.#format = format;
    this.#stream = stream;
    this.#frameTime = encoder.context.timeBase;
    this.#delay = encoder.context.hasBFrames;
    this.#packet.alloc();
  }

  /** `encoder` stays the caller's; only its output properties matter here. */
  static async create(out: string, encoder: VideoEncoder): Promise<ChunkFile> {
    const format = new FormatContext();
    mustSucceed(format.allocOutputContext2(null, 'mp4', unfinishedName(out)), 'avformat_alloc_output_context2');
    format.setFlags(AVFMT_FLAG_BITEXACT);
    const stream = format.newStream(null);
    stream.timeBase = encoder.context.timeBase;
    stream.avgFrameRate = encoder.context.framerate;
    mustSucceed(stream.codecpar.fromContext(encoder.context), 'avcodec_parameters_from_context');
    stream.codecpar.extradata = Buffer.from(streamConfig(encoder.parameterSets));
    const file = new ChunkFile(out, format, stream, encoder);
    try {
      mustSucceed(await format.openOutput(), 'avio_open');
      mustSucceed(await format.writeHeader(null), 'avformat_write_header');
      return file;
    } catch (error) {
      await file[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Adds the next picture in the order of decoding. */
  write({ bytes, at, isKey }: CodedPicture): void {
    const packet = this.#packet;
    packet.data = Buffer.from(bytes.buffer);
    packet.streamIndex = this.#stream.index;
    packet.pts = BigInt(at);
    packet.dts = BigInt(this.#pictures - this.#delay);
    packet.duration = 1n;
    packet.isKeyframe = isKey;
    packet.rescaleTs(this.#frameTime, this.#stream.timeBase);
    mustSucceed(this.#format.writeFrameSync(packet), 'av_write_frame');
    packet.unref();
    this.#pictures += 1;
  }

  /** Completes the file and gives it its name. @returns its size in bytes. */
  async commit(): Promise<number> {
    mustSucceed(await this.#format.writeTrailer(), 'av_write_trailer');
    await this.#close();
    await using handle = await open(unfinishedName(this.#out), 'r+');
    await handle.sync();
    // Not afterwards: the consumer moves the file as soon as the name exists.
    const { size } = await handle.stat();
    await rename(unfinishedName(this.#out), this.#out);
    this.#committed = true;
    return size;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
    if (!this.#committed) await rm(unfinishedName(this.#out), { force: true });
  }

  async #close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#format.closeOutput();
    this.#format.freeContext();
    this.#packet.free();
  }
}

function unfinishedName(out: string): string {
  return `${out}.part`;
}
