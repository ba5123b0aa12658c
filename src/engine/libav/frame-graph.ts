import {
  AV_BUFFERSRC_FLAG_KEEP_REF,
  type AVColorRange,
  type AVColorSpace,
  type AVPixelFormat,
} from 'node-av/constants';
import { avGetPixFmtName, type FilterContext, FilterGraph, type Frame } from 'node-av/lib';
import type { FramePool } from './frame-pool.ts';
import { mustSucceed } from './libav-call.ts';

/** The frame properties that a graph needs for an input before the first frame. */
export interface FrameShape {
  readonly width: number;
  readonly height: number;
  readonly pixelFormat: AVPixelFormat;
  readonly matrix: AVColorSpace;
  readonly range: AVColorRange;
}

/** Filters split a picture among this many threads at most. The pixels do not depend on it. */
const GRAPH_THREADS = 2;

/**
 * A libavfilter graph driven one picture at a time: every input is fed, then one picture is pulled.
 *
 * Timestamps inside it are output frame numbers and serve to keep the inputs in step. Owns the native graph.
 */
export class FrameGraph implements Disposable {
  readonly #graph: FilterGraph;
  readonly #inputs: readonly FilterContext[];
  readonly #sink: FilterContext;

  private constructor(graph: FilterGraph, inputs: readonly FilterContext[], sink: FilterContext) {
    this.#graph = graph;
    this.#inputs = inputs;
    this.#sink = sink;
  }

  /** @param filters in libavfilter's syntax, from the inputs `[0]`, `[1]` … to `[out]`. */
  static async open(inputs: readonly FrameShape[], filters: string): Promise<FrameGraph> {
    const graph = new FilterGraph();
    graph.alloc();
    try {
      graph.nbThreads = GRAPH_THREADS;
      const sources = inputs.map((shape, index) => `${source(shape, index)}[${index}]`);
      mustSucceed(graph.parse2([...sources, filters, '[out]buffersink@out'].join(';')), filters);
      mustSucceed(await graph.config(), `configuring ${filters}`);
      const named = (name: string) => graph.getFilter(name)!;
      return new FrameGraph(
        graph,
        inputs.map((_, index) => named(`buffer@${index}`)),
        named('buffersink@out'),
      );
    } catch (error) {
      graph.free();
      throw error;
    }
  }

  /** The filters that libavfilter inserted: conversions between formats that two neighbours do not share. */
  get inserted(): string[] {
    return this.#graph.filters!.map(({ name }) => name ?? '').filter((name) => name.startsWith('auto_'));
  }

  /** Gives input `index` its picture for time `at`. The graph takes its own reference; `frame` stays the caller's. */
  feed(index: number, frame: Frame, at: number): void {
    frame.pts = BigInt(at);
    const result = this.#inputs[index]!.buffersrcAddFrameSync(frame, AV_BUFFERSRC_FLAG_KEEP_REF);
    mustSucceed(result, 'av_buffersrc_add_frame');
  }

  /** Input `index` keeps the picture it has. */
  hold(index: number): void {
    mustSucceed(this.#inputs[index]!.buffersrcAddFrameSync(null), 'av_buffersrc_add_frame');
  }

  /** Changes an option of a running filter, named `filter@name` in the text. */
  command(target: string, option: string, value: string): void {
    const result = this.#graph.sendCommand(target, option, value);
    if (typeof result === 'number') mustSucceed(result, `${target} ${option}`);
  }

  /** Fills `into`, an empty frame, with the next picture; every input must have been fed. */
  async pull(into: Frame): Promise<void> {
    mustSucceed(await this.#sink.buffersinkGetFrame(into), 'av_buffersink_get_frame');
  }

  /** The next picture in a frame of a pool, which belongs to the caller. */
  async pullFrom(pool: FramePool): Promise<Frame> {
    const into = pool.take();
    try {
      await this.pull(into);
      return into;
    } catch (error) {
      pool.give(into);
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#graph.free();
  }
}

function source({ width, height, pixelFormat, matrix, range }: FrameShape, index: number): string {
  const options = {
    video_size: `${width}x${height}`,
    pix_fmt: avGetPixFmtName(pixelFormat),
    time_base: '1/1',
    pixel_aspect: '1/1',
    colorspace: matrix,
    range,
  };
  const list = Object.entries(options).map(([key, value]) => `${key}=${value}`);
  return `buffer@${index}=${list.join(':')}`;
}
