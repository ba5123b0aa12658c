import { open, rename, rm } from 'node:fs/promises';
import { AVFMT_FLAG_BITEXACT } from 'node-av/constants';
import { FormatContext, Packet, type Rational, type Stream } from 'node-av/lib';
import { mustSucceed } from '../libav/libav-call.ts';
import { type CodedPicture, streamConfig } from './repeating-stream.ts';
import type { VideoEncoder } from './video-encoder.ts';

/**
 * The file of one chunk: an MP4 with a picture track only, which begins with a key frame at time 0. Assembly copies its
 * packets unchanged.
 *
 * All or nothing: the file has a temporary name until it is complete, and is removed if it never is.
 */
export class ChunkFile implements AsyncDisposable {
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
    mustSucceed(format.allocOutputContext2(null, 'mp4', partName(out)), 'avformat_alloc_output_context2');
    format.setFlags(AVFMT_FLAG_BITEXACT);
    const stream = format.newStream(null);
    stream.timeBase = encoder.context.timeBase;
    stream.avgFrameRate = encoder.context.framerate;
    mustSucceed(stream.codecpar.fromContext(encoder.context), 'avcodec_parameters_from_context');
    stream.codecpar.extradata = streamConfig(encoder.parameterSets);
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
    packet.data = bytes;
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
    await using handle = await open(partName(this.#out), 'r+');
    await handle.sync();
    // Not afterwards: the consumer moves the file as soon as the name exists.
    const { size } = await handle.stat();
    await rename(partName(this.#out), this.#out);
    this.#committed = true;
    return size;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
    if (!this.#committed) await rm(partName(this.#out), { force: true });
  }

  async #close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#format.closeOutput();
    this.#format.freeContext();
    this.#packet.free();
  }
}

function partName(out: string): string {
  return `${out}.part`;
}
