import { AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVA420P, AVCOL_RANGE_MPEG, AVCOL_SPC_BT709 } from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import type { Rect } from '../../plan/model/canvas.ts';
import type { Frames } from '../../time.ts';
import { tagBt709 } from '../color/tag-bt709.ts';
import { CONVERT } from '../color/to-bt709.ts';
import { FrameGraph, type FrameShape } from '../libav/frame-graph.ts';
import type { FramePool } from '../libav/frame-pool.ts';

/** A picture to be blended, and how. It does not own its frame. */
export interface Layer {
  readonly frame: Frame;
  readonly rect: Rect;
  readonly alpha: boolean;
  /** The same picture all through the run. */
  readonly still: boolean;
  /** null: opaque all through the run. */
  readonly opacity: number | null;
  /** Its current shift from `rect`, in even pixels; null: none during the run. */
  readonly shift: { readonly x: number; readonly y: number } | null;
}

/** Blends layers by one graph for as long as their places stay the same. Owns the graph. */
export class Blender implements Disposable {
  readonly #pool: FramePool;
  /** `held` are the inputs that were fed once for the whole run. */
  #graph: { readonly layout: string; readonly graph: FrameGraph; readonly held: Set<number> } | null = null;

  constructor(pool: FramePool) {
    this.#pool = pool;
  }

  /** Blends the layers into one picture, back to front; the first fills it. The picture belongs to the caller. */
  async blend(layers: readonly Layer[], n: Frames): Promise<Frame> {
    if (layers.length === 1) return this.#pool.share(layers[0]!.frame);
    const { graph, held } = await this.#graphFor(layers);
    for (const [index, layer] of layers.entries()) {
      if (layer.shift !== null) {
        graph.command(`overlay@${index}`, 'x', String(layer.rect.x + layer.shift.x));
        graph.command(`overlay@${index}`, 'y', String(layer.rect.y + layer.shift.y));
      }
      if (held.has(index)) continue;
      if (layer.opacity !== null) graph.command(`lutyuv@${index}`, 'a', fadedAlpha(layer.opacity));
      graph.feed(index, layer.frame, n);
      if (!layer.still) continue;
      graph.hold(index);
      held.add(index);
    }
    const into = await graph.pullFrom(this.#pool);
    tagBt709(into);
    return into;
  }

  /** Discards the still pictures: a new run begins. */
  restart(): void {
    this.#graph?.graph[Symbol.dispose]();
    this.#graph = null;
  }

  [Symbol.dispose](): void {
    this.restart();
  }

  async #graphFor(layers: readonly Layer[]): Promise<{ graph: FrameGraph; held: Set<number> }> {
    const layout = JSON.stringify(
      layers.map(({ rect, alpha, opacity, shift }) => [rect, alpha, opacity === null, shift === null]),
    );
    if (this.#graph?.layout !== layout) {
      this.restart();
      this.#graph = {
        layout,
        graph: await FrameGraph.open(layers.map(shapeOf), blendFilters(layers)),
        held: new Set(),
      };
    }
    return this.#graph;
  }
}

/** Every layer over the one before it. Blending happens in place, so each costs only its own area. */
function blendFilters(layers: readonly Layer[]): string {
  const parts: string[] = [];
  let under = '[0]';
  for (const [index, { rect, alpha, opacity }] of layers.entries()) {
    if (index === 0) continue;
    const fade = opacity === null ? '' : `,lutyuv@${index}=a=${fadedAlpha(opacity)}`;
    const opaque = alpha ? '' : `${CONVERT},`;
    parts.push(`[${index}]${opaque}format=yuva420p${fade}[over${index}]`);
    const result = index === layers.length - 1 ? '[out]' : `[under${index}]`;
    parts.push(`${under}[over${index}]overlay@${index}=${rect.x}:${rect.y}:format=yuv420:eof_action=repeat${result}`);
    under = result;
  }
  return parts.join(';');
}

/** `lutyuv`'s expression for an alpha plane seen through; four digits are more than 8 bits can show. */
function fadedAlpha(opacity: number): string {
  return `val*${opacity.toFixed(4)}`;
}

function shapeOf({ rect, alpha }: Layer): FrameShape {
  return {
    width: rect.width,
    height: rect.height,
    pixelFormat: alpha ? AV_PIX_FMT_YUVA420P : AV_PIX_FMT_YUV420P,
    matrix: AVCOL_SPC_BT709,
    range: AVCOL_RANGE_MPEG,
  };
}
