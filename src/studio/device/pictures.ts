import { clipTime } from '../../plan/frame/clip-at-frame.ts';
import { type ClipOperation, clipsIn, frameAt, type Operation } from '../../plan/frame/frame-at.ts';
import type { RenderPlan } from '../../plan/model/render-plan.ts';
import type { Frames } from '../../time.ts';
import { DeviceError, type DeviceFault } from '../export/device-messages.ts';
import { BrowserFonts, MissingFont } from '../preview/canvas/browser-fonts.ts';
import type { Context, Drawable } from '../preview/canvas/browser-surface.ts';
import { FrameComposer, scaleTo, shownContent } from '../preview/canvas/compose-frame.ts';
import { MediaFiles } from '../preview/canvas/media-files.ts';
import { PresetPainters } from '../preview/canvas/preset-painters.ts';
import { SourceShelf } from '../preview/canvas/source-shelf.ts';
import { type FilmPicture, FilmPictures } from './film-pictures.ts';
import { frameParts, matteOf } from './frame-parts.ts';
import { SpentTime } from './spent-time.ts';
import { type ReadLayer, YuvFrames } from './yuv-frames.ts';

/** A font that fails to load is not reported. */
const FONT_POLL_MS = 50;

interface PicturesOrder {
  readonly plan: RenderPlan;
  readonly preset: string;
  readonly files: ReadonlyMap<string, Blob>;
  readonly drawing: (hash: string, maxPx: number) => Promise<ImageBitmap | null>;
}

/** The frames of a plan, drawn by the code of the preview and converted by that of the service. */
export class Pictures {
  readonly #plan: RenderPlan;
  readonly #sources: SourceShelf;
  readonly #composer: FrameComposer;
  readonly #contexts: Readonly<Record<ReadLayer, Context>>;
  /** What was read of them. */
  readonly #read: Record<ReadLayer, string | null> = { below: null, above: null };
  readonly #yuv: YuvFrames;
  readonly #films = new FilmPictures();
  /** Numbers of the pictures that clips show. */
  readonly #numbers = new WeakMap<object, number>();
  #counted = 0;
  #shown: string | null = null;
  readonly spent = new SpentTime();

  private constructor(plan: RenderPlan, sources: SourceShelf, composer: FrameComposer) {
    this.#plan = plan;
    this.#sources = sources;
    this.#composer = composer;
    const context = (alpha: boolean) =>
      new OffscreenCanvas(plan.canvas.width, plan.canvas.height).getContext('2d', { alpha, willReadFrequently: true })!;
    this.#contexts = { below: context(false), above: context(true) };
    this.#yuv = new YuvFrames(plan.canvas);
  }

  /** @throws DeviceError if a font or a picture is missing. */
  static async open({ plan, preset, files: blobs, drawing }: PicturesOrder): Promise<Pictures> {
    const files = new MediaFiles(
      async (hash) => blobs.get(hash) ?? null,
      drawing,
      () => {},
    );
    const fonts = new BrowserFonts(() => painters.forget());
    const painters = new PresetPainters(files, fonts);
    const layers = plan.spans.flatMap((span) => span.layers);
    const prepared = () =>
      painters.painter(preset, plan).catch((error: unknown) => {
        throw error instanceof MissingFont ? new DeviceError({ reason: 'font' }) : error;
      });
    let painter = await prepared();
    while (painters.fontsAt(preset, plan, layers) === 'coming') {
      await new Promise((resolve) => setTimeout(resolve, FONT_POLL_MS));
      painter = await prepared();
    }
    if (painters.fontsAt(preset, plan, layers) === 'absent') throw new DeviceError({ reason: 'font' });
    const lacking = painters.lackedPicture(plan);
    if (lacking !== null) throw new DeviceError({ reason: 'picture', field: lacking });
    const blur = plan.theme.glass ? (await import('../preview/canvas/glass.ts')).blurUnderGlass : null;
    const sources = new SourceShelf(files, () => ({ frame: async () => null, end: () => {} }));
    return new Pictures(plan, sources, new FrameComposer(plan, painter, blur));
  }

  /** What of the clips this browser does not show exactly: each file once. */
  async clipFaults(): Promise<DeviceFault[]> {
    const faults: DeviceFault[] = [];
    const seen = new Set<string>();
    for (const [index, { source, kind, shows, path }] of this.#plan.clips.entries()) {
      const file = `${kind} ${source}`;
      if (seen.has(file) || shows.end <= shows.start) continue;
      seen.add(file);
      this.#sources.nextFrame();
      const at = clipTime(this.#plan.clips[index]!, shows.start, this.#plan.rate);
      const fault = await this.#picture(index, at).then(
        () => null,
        (error: unknown) => (error instanceof DeviceError ? error.fault : { reason: 'clip' as const, path }),
      );
      if (fault !== null) faults.push(fault);
    }
    return faults;
  }

  /** Draws frame `n`, unless it looks the same as the one before. @returns whether it differs. */
  async show(n: Frames): Promise<boolean> {
    const operations = frameAt(this.#plan, n);
    this.#sources.nextFrame();
    const pictures = new Map(
      await this.spent.until('decode', () =>
        Promise.all(
          [...clipsIn(operations)].map(async ({ clip, at }) => [clip, await this.#picture(clip, at)] as const),
        ),
      ),
    );
    const content = shownContent(this.#plan, operations, (clip) => this.#numberOf(pictures.get(clip)!));
    if (content === this.#shown) return false;
    this.#shown = content;
    await this.#compose(operations, pictures);
    return true;
  }

  async #compose(operations: readonly Operation[], shown: ReadonlyMap<number, Drawable>): Promise<void> {
    const films = new Map<number, FilmPicture>();
    await this.spent.until('decode', () =>
      Promise.all(
        [...shown].map(async ([clip, picture]) => {
          const film = await this.#films.of(picture);
          if (film !== null) films.set(clip, film);
        }),
      ),
    );
    const pictures = new Map([...shown, ...films]);
    const parts = frameParts(this.#plan, operations, (clip) => (films.get(clip)?.samples ?? null) !== null);
    for (const [index, part] of parts.entries()) {
      if (part.by === 'canvas') this.#draw(index === 0 ? 'below' : 'above', part.operations, pictures);
      else this.spent.of('draw', () => this.#put(part.operation, films.get(part.operation.clip)!));
    }
  }

  /** Draws operations over the frame, unless they are the same as before. */
  #draw(layer: ReadLayer, operations: readonly Operation[], pictures: ReadonlyMap<number, Drawable>): void {
    const content = shownContent(this.#plan, operations, (clip) => this.#numberOf(pictures.get(clip)!));
    if (content !== this.#read[layer]) {
      this.spent.of('draw', () => {
        const { width, height } = this.#plan.canvas;
        this.#contexts[layer].clearRect(0, 0, width, height);
        this.#composer.draw(this.#contexts[layer], operations, pictures);
      });
      this.spent.of('convert', () => this.#yuv.read(layer, this.#contexts[layer]));
      this.#read[layer] = content;
    }
    this.spent.of('convert', () => this.#yuv.blend(layer));
  }

  /** Puts the samples of a clip into the frame, between its bars. */
  #put({ clip: index, view }: ClipOperation, film: FilmPicture): void {
    const { canvas, clips } = this.#plan;
    const clip = clips[index]!;
    const { crop, dest, backdrop } = clip;
    const matte = matteOf(clip, canvas);
    if (matte !== null && backdrop === null) this.#yuv.fill(matte, canvas.background);
    this.#yuv.put(film.samples!(scaleTo(film, crop, backdrop?.crop)(view), dest), dest);
  }

  /** The next frame differs from the one before: a part begins with it, and the one before may not have been drawn. */
  forget(): void {
    this.#shown = null;
  }

  frame(timestamp: number, duration: number): VideoFrame {
    return this.#yuv.frame(timestamp, duration);
  }

  /** @throws DeviceError unless this browser shows exactly what the service shows. */
  async #picture(index: number, at: Parameters<SourceShelf['picture']>[2]): Promise<Drawable> {
    const clip = this.#plan.clips[index]!;
    const picture = await this.#sources.picture(this.#plan, clip, at).catch(() => null);
    const close = this.#sources.closeness(this.#plan, clip);
    if (picture !== null && close === null) return picture;
    throw new DeviceError({ reason: 'clip', path: clip.path, ...(close !== null && { detail: close }) });
  }

  #numberOf({ of }: Drawable): number {
    let number = this.#numbers.get(of);
    if (number === undefined) {
      this.#counted += 1;
      number = this.#counted;
      this.#numbers.set(of, number);
    }
    return number;
  }
}
