import type { ClipLayer } from '../../../plan/layers/clip-layer.ts';
import { clipTime } from '../../../plan/layers/clip-time.ts';
import type { RenderPlan } from '../../../plan/render-plan.ts';
import type { Frames } from '../../../time.ts';
import * as texts from '../../texts/en/preview.ts';
import type { Drawable, SourcePictures } from './drawable.ts';
import { ElementPictures, type PlayedSource } from './element-pictures.ts';
import type { MediaFiles } from './media-files.ts';
import { AnimationPictures, StillPicture } from './still-pictures.ts';

/** Decoders are few and use much memory: the least recently used is closed first. */
const MAX_OPEN = 6;

interface Open {
  readonly pictures: Promise<SourcePictures | null>;
  /** Runs calls one after the other. */
  queue: Promise<unknown>;
  now: SourcePictures | null;
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
  readonly #play: (source: string, hash: string) => PlayedSource;

  /** @param play plays a file in the page if it cannot be decoded here. */
  constructor(files: MediaFiles, play: (source: string, hash: string) => PlayedSource) {
    this.#files = files;
    this.#play = play;
  }

  /** The picture of a clip at frame `n`; null if this browser cannot show it. */
  picture(plan: RenderPlan, clip: ClipLayer, n: Frames): Promise<Drawable | null> {
    const open = this.#opened(plan, clip);
    const answer = open.queue.then(async () => (await open.pictures)?.at(clipTime(clip, n, plan.rate)) ?? null);
    open.queue = answer.catch(() => {});
    return answer.catch((error: unknown) => {
      const { hash } = plan.sources[clip.source]!;
      if (clip.kind !== 'video' || this.#undecodable.has(hash)) throw error;
      // The decoder failed although it was reported as supported. A video element may still play the file.
      this.#undecodable.add(hash);
      this.forget(hash);
      void open.pictures.then((opened) => opened?.end());
      return this.picture(plan, clip, n);
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
  warm(plan: RenderPlan, clip: ClipLayer, n: Frames): void {
    if (!this.#open.has(keyOf(plan, clip))) void this.picture(plan, clip, n).catch(() => {});
  }

  #opened(plan: RenderPlan, clip: ClipLayer): Open {
    const key = keyOf(plan, clip);
    let open = this.#open.get(key);
    if (open === undefined) {
      const { hash } = plan.sources[clip.source]!;
      const pictures = this.#openSource(key, hash, clip.kind);
      const made: Open = { pictures, queue: Promise.resolve(), now: null };
      void pictures.then((opened) => {
        made.now = opened;
        if (opened === null) this.#failed.add(hash);
      });
      open = made;
    }
    this.#open.delete(key);
    this.#open.set(key, open);
    for (const [oldest, { pictures, queue }] of this.#open) {
      if (this.#open.size <= MAX_OPEN) break;
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
    } catch {
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
