import { type CodecContext, FormatContext, type Packet, type Stream } from 'node-av/lib';
import { mustSucceed } from '../../src/engine/libav/libav-call.ts';

/** An MP4 being written, one track for each encoder. Owns the file. */
export class MovieFile implements Disposable {
  readonly #format = new FormatContext();
  readonly #tracks: { readonly context: CodecContext; readonly stream: Stream }[] = [];

  /** `encoders` stay the caller's; they must be open. */
  static async open(file: string, encoders: readonly CodecContext[]): Promise<MovieFile> {
    const movie = new MovieFile();
    try {
      mustSucceed(movie.#format.allocOutputContext2(null, 'mp4', file), 'avformat_alloc_output_context2');
      for (const context of encoders) {
        const stream = movie.#format.newStream(null);
        stream.timeBase = context.timeBase;
        stream.avgFrameRate = context.framerate;
        mustSucceed(stream.codecpar.fromContext(context), 'avcodec_parameters_from_context');
        movie.#tracks.push({ context, stream });
      }
      mustSucceed(await movie.#format.openOutput(), 'avio_open');
      mustSucceed(await movie.#format.writeHeader(null), 'avformat_write_header');
      return movie;
    } catch (error) {
      movie[Symbol.dispose]();
      throw error;
    }
  }

  /** Writes a packet of the encoder `track`; its content is used up. */
  write(track: number, packet: Packet): void {
    const { context, stream } = this.#tracks[track]!;
    packet.streamIndex = stream.index;
    packet.rescaleTs(context.timeBase, stream.timeBase);
    mustSucceed(this.#format.interleavedWriteFrameSync(packet), 'av_interleaved_write_frame');
  }

  /** Completes the file. */
  async finish(): Promise<void> {
    mustSucceed(await this.#format.writeTrailer(), 'av_write_trailer');
  }

  [Symbol.dispose](): void {
    this.#format.closeOutputSync();
    this.#format.freeContext();
  }
}
