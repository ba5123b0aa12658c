import { clipTime } from '../../plan/frame/clip-at-frame.ts';
import { clipsIn, frameAt } from '../../plan/frame/frame-at.ts';
import type { RenderPlan } from '../../plan/model/render-plan.ts';
import type { Frames } from '../../time.ts';
import { DeviceError, type DeviceFault } from '../export/device-messages.ts';
import { BrowserFonts } from '../preview/canvas/browser-fonts.ts';
import type { Context, Drawable } from '../preview/canvas/browser-surface.ts';
import { FrameComposer, shownContent } from '../preview/canvas/compose-frame.ts';
import { MediaFiles } from '../preview/canvas/media-files.ts';
import { PresetPainters } from '../preview/canvas/preset-painters.ts';
import { SourceShelf } from '../preview/canvas/source-shelf.ts';
import { SpentTime } from './spent-time.ts';
import { YuvFrames } from './yuv-frames.ts';

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
  readonly #context: Context;
  readonly #yuv: YuvFrames;
  /** Numbers of the pictures that clips show. */
  readonly #numbers = new WeakMap<object, number>();
  #counted = 0;
  #shown: string | null = null;
  readonly spent = new SpentTime();

  private constructor(plan: RenderPlan, sources: SourceShelf, composer: FrameComposer) {
    this.#plan = plan;
    this.#sources = sources;
    this.#composer = composer;
    const canvas = new OffscreenCanvas(plan.canvas.width, plan.canvas.height);
    this.#context = canvas.getContext('2d', { alpha: false, willReadFrequently: true })!;
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
    let painter = await painters.painter(preset, plan);
    while (painters.fontsAt(preset, plan, layers) === 'coming') {
      await new Promise((resolve) => setTimeout(resolve, FONT_POLL_MS));
      painter = await painters.painter(preset, plan);
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
    this.spent.of('draw', () => this.#composer.draw(this.#context, operations, pictures));
    this.spent.of('convert', () => this.#yuv.read(this.#context));
    return true;
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
