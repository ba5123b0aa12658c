import type { Issue } from '../../errors.ts';
import type { ImageLimits } from '../../image-header/image-header.ts';
import type { Veil } from '../../plan/overlay-painter.ts';
import type { Rect, RenderPlan } from '../../plan/render-plan.ts';
import type { Frames, Range } from '../../time.ts';
import type { DecodedPixels } from '../skia/skia-pictures.ts';
import type { PaintCall } from './moving-calls.ts';
import type { ThreadFailure } from './thread-failure.ts';

/**
 * A painted picture on its way: its pixels lie from `at` on in the memory that both threads see, or in memory of their own. (That they see
 * is told once: V8 would count all of it for every message that names it.)
 */
export interface SentOverlay {
  /** The same for the same picture in the same place; 0: nobody wants it back. */
  readonly id: number;
  readonly rect: Rect;
  readonly pixels: 'shared' | SharedArrayBuffer;
  readonly at: number;
}

export interface SentLayer {
  readonly still: SentOverlay;
  readonly isInPlace: boolean;
  /** Whether `still` is sent again and again, its pixels copied once. */
  readonly isKept: boolean;
  readonly moving: SentOverlay | null;
  readonly veil: Veil | null;
  readonly front: SentOverlay | null;
}

/** What a call came to: a layer, or what is around a clip. */
export type SentPainting =
  | { readonly layer: SentLayer | null }
  | { readonly shadow: SentOverlay | null; readonly border: SentOverlay | null };

/** What is next in order: as it was for the same layer before, anew, or not to be had. */
export type NextPainting = 'same' | SentPainting | { readonly failure: ThreadFailure };

/** To the thread. Painters and questions have numbers. */
export type ToThread =
  | {
      readonly type: 'open';
      readonly painter: number;
      readonly plan: RenderPlan;
      readonly files: ReadonlyMap<string, string>;
      readonly limits: ImageLimits;
      /** What is going to be rendered, in this order. */
      readonly ranges: readonly Range<Frames>[];
      /** Whether whoever asks can decode what Skia cannot. */
      readonly decodes: boolean;
    }
  /** `seen`: pictures, by `id`, whose pixels nobody looks at any more. */
  | {
      readonly type: 'ask';
      readonly painter: number;
      readonly question: number;
      readonly call: PaintCall;
      readonly seen: readonly number[];
    }
  /** The next painting was taken. */
  | { readonly type: 'taken'; readonly painter: number; readonly seen: readonly number[] }
  | {
      readonly type: 'decoded';
      readonly painter: number;
      readonly question: number;
      readonly answer: DecodedPixels | { readonly failure: ThreadFailure };
    }
  | { readonly type: 'close'; readonly painter: number };

/** From the thread. */
export type FromThread =
  | {
      readonly type: 'opened';
      readonly painter: number;
      readonly memory: SharedArrayBuffer;
      readonly warnings: readonly Issue[];
    }
  | { readonly type: 'refused'; readonly painter: number; readonly failure: ThreadFailure }
  | { readonly type: 'next'; readonly painter: number; readonly painting: NextPainting }
  | {
      readonly type: 'answer';
      readonly painter: number;
      readonly question: number;
      readonly painting: Exclude<NextPainting, 'same'>;
    }
  | {
      readonly type: 'decode';
      readonly painter: number;
      readonly question: number;
      readonly path: string;
      readonly mostPx: number;
    };

/** How many bytes a painting has to itself. */
export function movingBytes(painting: SentPainting): number {
  if (!('layer' in painting) || painting.layer === null) return 0;
  const { still, isKept, moving, front } = painting.layer;
  const parts = [moving, front, isKept ? null : still];
  return parts.reduce((sum, part) => sum + (part === null ? 0 : part.rect.width * part.rect.height * 4), 0);
}
