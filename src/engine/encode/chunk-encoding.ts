import type { Frame } from 'node-av/lib';
import { LevelBuffer } from '../../iso/h264/level-buffer.ts';
import { cutsIn, materialOf } from '../../plan/frame-runs.ts';
import type { Rect } from '../../plan/rect.ts';
import type { RenderPlan } from '../../plan/render-plan.ts';
import { type Frames, frameAt, type Range } from '../../time.ts';
import type { CanvasFrame } from '../compose/compositor.ts';
import type { FramePool } from '../libav/frame-pool.ts';
import { hintChanged } from './changed-hint.ts';
import { ChunkFile } from './chunk-file.ts';
import { RepeatingStream } from './repeating-stream.ts';
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
