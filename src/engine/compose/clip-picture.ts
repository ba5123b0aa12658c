import type { Frame } from 'node-av/lib';
import type { Rect } from '../../plan/model/canvas.ts';
import type { ClipLayer } from '../../plan/model/clip-layer.ts';
import { tagForFilters } from '../color/picture-color.ts';
import { tagBt709 } from '../color/tag-bt709.ts';
import { FrameGraph, type FrameShape } from '../libav/frame-graph.ts';
import type { FramePool } from '../libav/frame-pool.ts';
import { mustSucceed } from '../libav/libav-call.ts';
import type { SharedPicture } from '../picture/shared-pictures.ts';
import { releasePicture, type SourcePicture } from '../picture/source-frames.ts';
import { type ClipFilters, type ClipSteps, clipFilters, isCutOut } from './clip-filters.ts';
import { clipMask, cutOut } from './clip-mask.ts';

/** How source frames of one kind become the clip's picture. */
interface Way {
  readonly shape: FrameShape;
  readonly filters: ClipFilters;
  /** By their text, opened when they are first needed. */
  readonly graphs: Map<string, FrameGraph>;
  /** How many pictures the graph has been given. */
  fed: number;
}

/** Graphs kept at once: two for the fields of interlaced video, and some for a file that alternates. */
const MAX_WAYS = 4;

/**
 * A clip's part of the canvas, kept from frame to frame: made again only when the source frame changes, so that a still
 * under a video is scaled once.
 */
export class ClipPicture implements Disposable {
  readonly #clip: ClipLayer;
  readonly #background: string | null;
  readonly #pool: FramePool;
  /** By the properties of the source frames, the least recently used first. */
  readonly #ways = new Map<string, Way>();
  #filters: ClipFilters | null = null;
  #frame: Frame | null = null;
  #mask: Uint8Array | null = null;

  constructor(clip: ClipLayer, background: string | null, pool: FramePool) {
    this.#clip = clip;
    this.#background = background;
    this.#pool = pool;
  }

  /** The current picture, owned by this object; it exists once `update` has been called. */
  get frame(): Frame {
    return this.#frame!;
  }

  /** Its place on the canvas. */
  get rect(): Rect {
    return this.#filters!.rect;
  }

  /** Whether it is transparent. */
  get alpha(): boolean {
    return this.#filters!.alpha;
  }

  /** Takes over the source picture and makes the clip's picture of it. */
  async update(picture: SourcePicture): Promise<void> {
    try {
      const way = this.#way(picture);
      const made = this.#pool.filled(await this.#make(way, picture), (frame) => {
        if (isCutOut(this.#clip)) this.#cutOut(frame, way.filters.rect);
        tagBt709(frame);
      });
      if (this.#frame !== null) this.#pool.give(this.#frame);
      this.#frame = made;
      this.#filters = way.filters;
    } finally {
      releasePicture(picture, this.#pool);
    }
  }

  [Symbol.dispose](): void {
    if (this.#frame !== null) this.#pool.give(this.#frame);
    this.#frame = null;
    for (const way of this.#ways.values()) close(way);
    this.#ways.clear();
  }

  #make(way: Way, { frame: source, shared }: SourcePicture): Promise<Frame> | Frame {
    const { text, steps } = way.filters;
    if (text === null) return this.#pool.share(source);
    tagForFilters(source, way.shape);
    return shared === null || steps === null
      ? this.#run(way, text, source)
      : this.#runInSteps(way, steps, source, shared);
  }

  #cutOut(made: Frame, rect: Rect): void {
    mustSucceed(made.makeWritable(), 'av_frame_make_writable');
    this.#mask ??= clipMask(this.#clip.look!, rect);
    cutOut(made, this.#mask, !this.#clip.alpha);
  }

  /** A graph is made for one kind of frames, and a stream may change its kind. (R23) */
  #way({ facts, field }: SourcePicture): Way {
    const { width, height, pixelFormat, color, interlaced, topFieldFirst } = facts;
    const { matrix, range, transfer, primaries } = color;
    const fields = interlaced ? [topFieldFirst, field] : [];
    const key = [width, height, pixelFormat, matrix, range, transfer, primaries, ...fields].join(' ');
    let way = this.#ways.get(key);
    if (way === undefined) {
      const shape = { width, height, pixelFormat, matrix, range };
      const filters = clipFilters(this.#clip, facts, shape, this.#background, field);
      way = { shape, filters, graphs: new Map(), fed: 0 };
    }
    this.#ways.delete(key);
    this.#ways.set(key, way);
    if (this.#ways.size > MAX_WAYS) {
      const [oldest, unused] = this.#ways.entries().next().value!;
      this.#ways.delete(oldest);
      close(unused);
    }
    return way;
  }

  async #run(way: Way, text: string, source: Frame): Promise<Frame> {
    const graph = await graphOf(way, text, [way.shape]);
    if (way.filters.late) {
      // Fed twice, the second picture pushes out the first; the picture that the first one pushes out is discarded.
      graph.feed(0, source, way.fed++);
      if (way.fed > 1) this.#pool.give(await graph.pullFrom(this.#pool));
    }
    graph.feed(0, source, way.fed++);
    return graph.pullFrom(this.#pool);
  }

  /** The same pixels: the first preset that needs the shared step makes it. */
  async #runInSteps(
    way: Way,
    { scaled, scaledShape, around, behind }: ClipSteps,
    source: Frame,
    shared: SharedPicture,
  ): Promise<Frame> {
    const picture = await shared.get(scaled, () => this.#run(way, scaled, source));
    if (around === null && behind === null) return picture;
    try {
      tagBt709(picture);
      const inputs = around === null ? [source, picture] : [picture];
      const shapes = around === null ? [way.shape, scaledShape] : [scaledShape];
      const graph = await graphOf(way, (around ?? behind)!, shapes);
      const at = way.fed++;
      for (const [index, input] of inputs.entries()) graph.feed(index, input, at);
      return await graph.pullFrom(this.#pool);
    } finally {
      this.#pool.give(picture);
    }
  }
}

async function graphOf({ graphs }: Way, text: string, inputs: readonly FrameShape[]): Promise<FrameGraph> {
  let graph = graphs.get(text);
  if (graph === undefined) {
    graph = await FrameGraph.open(inputs, text);
    graphs.set(text, graph);
  }
  return graph;
}

function close({ graphs }: Way): void {
  for (const graph of graphs.values()) graph[Symbol.dispose]();
}
