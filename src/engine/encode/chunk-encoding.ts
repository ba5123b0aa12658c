import type { Frame } from 'node-av/lib';
import type { RenderPlan } from '../../plan/render-plan.ts';
import type { Frames, Range } from '../../time.ts';
import { ChunkFile } from './chunk-file.ts';
import { VideoEncoder } from './video-encoder.ts';

/** A range of the video and the file it goes to. */
export interface ChunkJob {
  readonly range: Range<Frames>;
  readonly out: string;
}

/** A chunk being encoded, with its file. Owns both. */
export class ChunkEncoding implements AsyncDisposable {
  readonly job: ChunkJob;
  readonly #encoder: VideoEncoder;
  readonly #file: ChunkFile;

  private constructor(job: ChunkJob, encoder: VideoEncoder, file: ChunkFile) {
    this.job = job;
    this.#encoder = encoder;
    this.#file = file;
  }

  static async start(plan: RenderPlan, job: ChunkJob): Promise<ChunkEncoding> {
    const encoder = await VideoEncoder.open(plan);
    try {
      return new ChunkEncoding(job, encoder, await ChunkFile.create(job.out, encoder));
    } catch (error) {
      encoder[Symbol.dispose]();
      throw error;
    }
  }

  async encode(frame: Frame, n: Frames): Promise<void> {
    await this.#encoder.encode(frame, n - this.job.range.start, (packet) => this.#file.write(packet));
  }

  async drain(): Promise<void> {
    await this.#encoder.finish((packet) => this.#file.write(packet));
    this.#encoder[Symbol.dispose]();
  }

  commit(): Promise<number> {
    return this.#file.commit();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file[Symbol.asyncDispose]();
    this.#encoder[Symbol.dispose]();
  }
}
