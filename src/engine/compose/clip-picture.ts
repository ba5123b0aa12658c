import type { Frame } from 'node-av/lib';
import type { ClipLayer, Rect } from '../../plan/render-plan.ts';
import { tagForFilters } from '../color/picture-color.ts';
import { tagBt709 } from '../color/tag-bt709.ts';
import { FrameGraph, type FrameShape } from '../libav/frame-graph.ts';
import type { FramePool } from '../libav/frame-pool.ts';
import { mustSucceed } from '../libav/libav-call.ts';
import type { SourcePicture } from '../picture/source-frames.ts';
import { type ClipFilters, clipFilters, isCutOut } from './clip-filters.ts';
import { clipMask, cutOut } from './clip-mask.ts';

/** How source frames of one kind become the clip's picture. */
interface Way {
  readonly shape: FrameShape;
  readonly filters: ClipFilters;
  /** Null where the frame is right as it is. */
  readonly graph: FrameGraph | null;
  /** How many pictures the graph has been given. */
  fed: number;
}

/** Kept at once: two for the fields of interlaced video, and some for a file that goes back and forth. */
const MOST_WAYS = 4;

/**
 * A clip's part of the canvas, kept from frame to frame: made anew only where the source frame changes, so that a still
 * under a video is scaled once.
 */
export class ClipPicture implements Disposable {
  readonly #clip: ClipLayer;
  readonly #background: string;
  readonly #pool: FramePool;
  /** By what the source frames are like, the least recently used first. */
  readonly #ways = new Map<string, Way>();
  #filters: ClipFilters | null = null;
  #frame: Frame | null = null;
  #mask: Uint8Array | null = null;

  constructor(clip: ClipLayer, background: string, pool: FramePool) {
    this.#clip = clip;
    this.#background = background;
    this.#pool = pool;
  }

  /** The picture as it is now, this object's own; there is one once `update` has been called. */
  get frame(): Frame {
    return this.#frame!;
  }

  /** Where it lies on the canvas. */
  get rect(): Rect {
    return this.#filters!.rect;
  }

  /** Whether it lets through what is under it. */
  get alpha(): boolean {
    return this.#filters!.alpha;
  }

  /** Takes over the source picture and makes the clip's picture of it. */
  async update(picture: SourcePicture): Promise<void> {
    const { frame: source } = picture;
    try {
      const way = await this.#way(picture);
      const made = way.graph === null ? this.#pool.share(source) : await this.#run(way, way.graph, source);
      if (isCutOut(this.#clip)) this.#cutOut(made, way.filters.rect);
      tagBt709(made);
      if (this.#frame !== null) this.#pool.give(this.#frame);
      this.#frame = made;
      this.#filters = way.filters;
    } finally {
      this.#pool.give(source);
    }
  }

  [Symbol.dispose](): void {
    if (this.#frame !== null) this.#pool.give(this.#frame);
    this.#frame = null;
    for (const { graph } of this.#ways.values()) graph?.[Symbol.dispose]();
    this.#ways.clear();
  }

  #cutOut(made: Frame, rect: Rect): void {
    mustSucceed(made.makeWritable(), 'av_frame_make_writable');
    this.#mask ??= clipMask(this.#clip.look!, rect);
    cutOut(made, this.#mask, !this.#clip.alpha);
  }

  /** Graphs are made for one kind of frames, and streams may change theirs on the way. (R23) */
  async #way({ facts, field }: SourcePicture): Promise<Way> {
    const { width, height, pixelFormat, color, interlaced, topFieldFirst } = facts;
    const { matrix, range, transfer, primaries } = color;
    const fields = interlaced ? [topFieldFirst, field] : [];
    const key = [width, height, pixelFormat, matrix, range, transfer, primaries, ...fields].join(' ');
    let way = this.#ways.get(key);
    if (way === undefined) {
      const shape = { width, height, pixelFormat, matrix, range };
      const filters = clipFilters(this.#clip, facts, shape, this.#background, field);
      const graph = filters.text === null ? null : await FrameGraph.open([shape], filters.text);
      way = { shape, filters, graph, fed: 0 };
    }
    this.#ways.delete(key);
    this.#ways.set(key, way);
    if (this.#ways.size > MOST_WAYS) {
      const [oldest, { graph }] = this.#ways.entries().next().value!;
      this.#ways.delete(oldest);
      graph?.[Symbol.dispose]();
    }
    return way;
  }

  async #run(way: Way, graph: FrameGraph, source: Frame): Promise<Frame> {
    tagForFilters(source, way.shape);
    const into = this.#pool.take();
    if (way.filters.late) {
      // Fed twice, the second picture pushes out the first; what the one before pushes out is of no use.
      graph.feed(0, source, way.fed++);
      if (way.fed > 1) {
        await graph.pull(into);
        into.unref();
      }
    }
    graph.feed(0, source, way.fed++);
    await graph.pull(into);
    return into;
  }
}
