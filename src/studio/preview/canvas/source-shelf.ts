import { clipTime } from '../../../plan/frame/clip-at-frame.ts';
import type { ClipLayer } from '../../../plan/model/clip-layer.ts';
import type { RenderPlan } from '../../../plan/model/render-plan.ts';
import type { Micros } from '../../../time.ts';
import * as texts from '../../texts/en/preview.ts';
import { bitmapDrawable, type Drawable, type SourcePictures } from './browser-surface.ts';
import type { MediaFiles } from './media-files.ts';

/** Decoders are few and use much memory: the least recently used is closed first. */
const MAX_OPEN = 6;

interface Open {
  readonly pictures: Promise<SourcePictures | null>;
  /** Runs calls one after the other. */
  queue: Promise<unknown>;
  now: SourcePictures | null;
  /** The last frame that asked for it. */
  frame: number;
}

/**
 * Open sources, one for each clip, so that two clips of one file do not seek back and forth. Presets share them, since the key is the
 * path of the entry.
 */
export class SourceShelf {
  readonly #files: MediaFiles;
  readonly #open = new Map<string, Open>();
  /** Sources this browser cannot show, by hash. */
  readonly #failed = new Set<string>();
  /** Videos that cannot be decoded frame by frame, by hash. */
  readonly #undecodable = new Set<string>();
  #frame = 0;
  readonly #play: (source: string, hash: string) => PlayedSource;

  /** @param play plays a file in the page if it cannot be decoded here. */
  constructor(files: MediaFiles, play: (source: string, hash: string) => PlayedSource) {
    this.#files = files;
    this.#play = play;
  }

  /** Pictures that are requested from now on stay valid until the next call, however many they are. */
  nextFrame(): void {
    this.#frame += 1;
  }

  /** The picture of a clip at a source time; null if this browser cannot show it. */
  picture(plan: RenderPlan, clip: ClipLayer, at: Micros): Promise<Drawable | null> {
    const open = this.#opened(plan, clip);
    const answer = open.queue.then(async () => (await open.pictures)?.at(at) ?? null);
    open.queue = answer.catch(() => {});
    return answer.catch((error: unknown) => {
      const { hash } = plan.sources[clip.source]!;
      if (clip.kind !== 'video' || this.#undecodable.has(hash)) throw error;
      // The decoder failed although it was reported as supported. A video element may still play the file.
      this.#undecodable.add(hash);
      this.forget(hash);
      void open.pictures.then((opened) => opened?.end());
      return this.picture(plan, clip, at);
    });
  }

  /** The last picture of a clip, however old. */
  lastOf(plan: RenderPlan, clip: ClipLayer): Drawable | null {
    return this.#open.get(keyOf(plan, clip))?.now?.last ?? null;
  }

  /** Why a clip may differ from the export; null if it is the same. */
  closeness(plan: RenderPlan, clip: ClipLayer): string | null {
    const { hash } = plan.sources[clip.source]!;
    if (hash.startsWith('coming-')) return texts.pictureIsDrawn;
    if (this.#failed.has(hash)) return texts.fileNotShown;
    return this.#open.get(keyOf(plan, clip))?.now?.close ?? null;
  }

  /** A missing file has arrived: sources that were opened without it are opened again. */
  forget(hash: string): void {
    this.#failed.delete(hash);
    for (const key of [...this.#open.keys()]) if (key.endsWith(` ${hash}`)) this.#open.delete(key);
  }

  /** Opens a clip that will be visible soon. */
  warm(plan: RenderPlan, clip: ClipLayer): void {
    if (this.#open.has(keyOf(plan, clip))) return;
    void this.picture(plan, clip, clipTime(clip, clip.shows.start, plan.rate)).catch(() => {});
  }

  #opened(plan: RenderPlan, clip: ClipLayer): Open {
    const key = keyOf(plan, clip);
    let open = this.#open.get(key);
    if (open === undefined) {
      const { hash } = plan.sources[clip.source]!;
      const pictures = this.#openSource(key, hash, clip.kind);
      const made: Open = { pictures, queue: Promise.resolve(), now: null, frame: this.#frame };
      void pictures.then((opened) => {
        made.now = opened;
        if (opened === null) this.#failed.add(hash);
      });
      open = made;
    }
    open.frame = this.#frame;
    this.#open.delete(key);
    this.#open.set(key, open);
    for (const [oldest, { pictures, queue, frame }] of this.#open) {
      // Those after it are of this frame too.
      if (this.#open.size <= MAX_OPEN || frame === this.#frame) break;
      this.#open.delete(oldest);
      void queue.then(async () => (await pictures)?.end());
    }
    return open;
  }

  async #openSource(key: string, hash: string, kind: ClipLayer['kind']): Promise<SourcePictures | null> {
    const file = await this.#files.file(hash);
    if (file === null) return null;
    try {
      if (kind === 'video') {
        const frames = this.#undecodable.has(hash) ? null : await decoded(file).catch(() => null);
        return frames ?? (await ElementPictures.open(this.#play(key, hash)));
      }
      if (kind === 'animation') return (await AnimationPictures.open(file)) ?? (await this.#still(hash));
      return await this.#still(hash);
    } catch (error) {
      this.#files.failed(hash, error);
      return null;
    }
  }

  async #still(hash: string): Promise<StillPicture | null> {
    const bitmap = await this.#files.bitmap(hash, null);
    return bitmap === null ? null : new StillPicture(bitmap);
  }
}

/** Decodes frame by frame, if this browser can. The demuxer is fetched with the first clip. */
async function decoded(file: Blob): Promise<SourcePictures | null> {
  const { VideoPictures } = await import('./video-pictures.ts');
  return VideoPictures.open(file);
}

function keyOf({ sources }: RenderPlan, { path, source }: ClipLayer): string {
  return `${path} ${sources[source]!.hash}`;
}

/** A source that the page plays in a video element, which a worker cannot do. */
interface PlayedSource {
  /** The picture at a source time, which the caller closes; null if the browser cannot play the file. */
  frame(micros: number): Promise<ImageBitmap | null>;
  end(): void;
}

/**
 * Pictures of a file that this browser can play but not decode frame by frame, because WebCodecs or the codec is missing. The element
 * decides which frame it shows, so the result is only close.
 */
class ElementPictures implements SourcePictures {
  readonly close = texts.notFrameByFrame;
  readonly #source: PlayedSource;
  #shown: ImageBitmap;

  private constructor(source: PlayedSource, first: ImageBitmap) {
    this.#source = source;
    this.#shown = first;
  }

  /** @returns null if the browser cannot play it. */
  static async open(source: PlayedSource): Promise<ElementPictures | null> {
    const first = await source.frame(0);
    if (first !== null) return new ElementPictures(source, first);
    source.end();
    return null;
  }

  get last(): Drawable {
    return bitmapDrawable(this.#shown);
  }

  async at(micros: number): Promise<Drawable> {
    const next = await this.#source.frame(micros);
    if (next !== null) {
      this.#shown.close();
      this.#shown = next;
    }
    return this.last;
  }

  end(): void {
    this.#shown.close();
    this.#source.end();
  }
}

/** One picture for all times. */
class StillPicture implements SourcePictures {
  readonly close = null;
  readonly last: Drawable;
  readonly #bitmap: ImageBitmap;

  constructor(bitmap: ImageBitmap) {
    this.#bitmap = bitmap;
    this.last = bitmapDrawable(bitmap);
  }

  async at(): Promise<Drawable> {
    return this.last;
  }

  end(): void {
    this.#bitmap.close();
  }
}

/** The part of the API that we use. Not every browser has it. */
interface FrameDecoder {
  readonly tracks: { readonly ready: Promise<void>; readonly selectedTrack: { readonly frameCount: number } | null };
  readonly completed: Promise<void>;
  decode(options: { frameIndex: number }): Promise<{ readonly image: VideoFrame }>;
  close(): void;
}

/** The length of a frame that has none, as in browsers. */
const HASTY_MICROS = 10_000;
const CALM_MICROS = 100_000;

/** The frames of an animation (GIF, WebP, APNG, AVIF), decoded on demand. The plan does the looping. */
class AnimationPictures implements SourcePictures {
  readonly close = texts.animationTiming;
  readonly #decoder: FrameDecoder;
  readonly #starts: readonly number[];
  #shown = -1;
  #image: VideoFrame | null = null;

  private constructor(decoder: FrameDecoder, starts: readonly number[]) {
    this.#decoder = decoder;
    this.#starts = starts;
  }

  /** @returns null if the browser cannot decode it. */
  static async open(file: Blob): Promise<AnimationPictures | null> {
    const { ImageDecoder: Decoder } = globalThis as {
      ImageDecoder?: new (init: { data: ReadableStream | ArrayBuffer; type: string }) => FrameDecoder;
    };
    if (Decoder === undefined) return null;
    try {
      const decoder = new Decoder({ data: await file.arrayBuffer(), type: file.type });
      await decoder.tracks.ready;
      await decoder.completed;
      const starts: number[] = [];
      let at = 0;
      for (let frameIndex = 0; frameIndex < (decoder.tracks.selectedTrack?.frameCount ?? 0); frameIndex += 1) {
        starts.push(at);
        const { image } = await decoder.decode({ frameIndex });
        const lasts = image.duration ?? 0;
        at += lasts <= HASTY_MICROS ? CALM_MICROS : lasts;
        image.close();
      }
      return starts.length === 0 ? null : new AnimationPictures(decoder, starts);
    } catch {
      return null;
    }
  }

  get last(): Drawable | null {
    return this.#image === null ? null : frameDrawable(this.#image);
  }

  async at(micros: number): Promise<Drawable | null> {
    const due = Math.max(
      0,
      this.#starts.findLastIndex((start) => start <= micros),
    );
    if (due !== this.#shown) {
      const { image } = await this.#decoder.decode({ frameIndex: due });
      this.#image?.close();
      this.#image = image;
      this.#shown = due;
    }
    return this.last;
  }

  end(): void {
    this.#image?.close();
    this.#image = null;
    this.#decoder.close();
  }
}

function frameDrawable(image: VideoFrame): Drawable {
  return {
    of: image,
    width: image.displayWidth,
    height: image.displayHeight,
    draw: (context, from, to) =>
      context.drawImage(image, from.x, from.y, from.width, from.height, to.x, to.y, to.width, to.height),
  };
}
