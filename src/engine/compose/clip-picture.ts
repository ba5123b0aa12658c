import type { Frame } from 'node-av/lib';
import type { ClipLayer, Rect } from '../../plan/render-plan.ts';
import { tagForFilters } from '../color/picture-color.ts';
import { tagBt709 } from '../color/tag-bt709.ts';
import { FrameGraph, type FrameShape } from '../libav/frame-graph.ts';
import type { FramePool } from '../libav/frame-pool.ts';
import type { SourcePicture } from '../picture/source-frames.ts';
import { type ClipFilters, clipFilters } from './clip-filters.ts';

/**
 * A clip's part of the canvas, kept from frame to frame: made anew only where the source frame changes, so that a still
 * under a video is scaled once.
 */
export class ClipPicture implements Disposable {
  readonly #clip: ClipLayer;
  readonly #background: string;
  readonly #pool: FramePool;
  #filters: ClipFilters | null = null;
  #shape: FrameShape | null = null;
  #graph: FrameGraph | null = null;
  #frame: Frame | null = null;
  /** How many pictures the graph has been given. */
  #fed = 0;

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
  async update({ frame: source, facts }: SourcePicture): Promise<void> {
    try {
      // Streams may change size or format on the way; a graph is made for one.
      if (this.#shape === null || !describes(this.#shape, source)) {
        this.#graph?.[Symbol.dispose]();
        this.#graph = null;
        this.#fed = 0;
        this.#shape = shapeOf(source, facts.color);
        this.#filters = clipFilters(this.#clip, facts, this.#shape, this.#background);
        const { text } = this.#filters;
        if (text !== null) this.#graph = await FrameGraph.open([this.#shape], text);
      }
      const made = this.#graph === null ? this.#pool.share(source) : await this.#run(this.#graph, source);
      tagBt709(made);
      if (this.#frame !== null) this.#pool.give(this.#frame);
      this.#frame = made;
    } finally {
      this.#pool.give(source);
    }
  }

  [Symbol.dispose](): void {
    if (this.#frame !== null) this.#pool.give(this.#frame);
    this.#frame = null;
    this.#graph?.[Symbol.dispose]();
    this.#graph = null;
  }

  async #run(graph: FrameGraph, source: Frame): Promise<Frame> {
    tagForFilters(source, this.#shape!);
    const into = this.#pool.take();
    if (this.#filters!.late) {
      // Fed twice, the second picture pushes out the first; what the one before pushes out is of no use.
      graph.feed(0, source, this.#fed++);
      if (this.#fed > 1) {
        await graph.pull(into);
        into.unref();
      }
    }
    graph.feed(0, source, this.#fed++);
    await graph.pull(into);
    return into;
  }
}

function shapeOf(frame: Frame, color: SourcePicture['facts']['color']): FrameShape {
  return {
    width: frame.width,
    height: frame.height,
    pixelFormat: frame.format as FrameShape['pixelFormat'],
    matrix: color.matrix,
    range: color.range,
  };
}

function describes(shape: FrameShape, frame: Frame): boolean {
  return shape.width === frame.width && shape.height === frame.height && shape.pixelFormat === frame.format;
}
