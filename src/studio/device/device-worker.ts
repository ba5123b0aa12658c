import { messageOf } from '../../errors.ts';
import { layOutMovie } from '../../iso/mp4/movie-layout.ts';
import { AAC_FRAME_SAMPLES } from '../../iso/mp4/sample-entries.ts';
import type { PacketIndex } from '../../iso/mp4/sample-table.ts';
import { clipsIn, frameAt } from '../../plan/frame/frame-at.ts';
import { materialOf } from '../../plan/frame/frame-runs.ts';
import type { Chunk, RenderPlan } from '../../plan/model/render-plan.ts';
import { type Frames, SAMPLE_RATE } from '../../time.ts';
import { DeviceError, type FromDevice, type SoundDone, type ToDevice } from '../export/device-messages.ts';
import { reportRejections, workerScope } from '../kit/worker-scope.ts';
import { BrowserFonts } from '../preview/canvas/browser-fonts.ts';
import type { Context, Drawable } from '../preview/canvas/browser-surface.ts';
import { FrameComposer, shownContent } from '../preview/canvas/compose-frame.ts';
import { MediaFiles } from '../preview/canvas/media-files.ts';
import { PresetPainters } from '../preview/canvas/preset-painters.ts';
import { SourceShelf } from '../preview/canvas/source-shelf.ts';
import { unpacked } from '../session/packed-plan.ts';
import { ChunkEncoder, encoderConfig, offsetsOf } from './chunk-encoder.ts';
import { YuvFrames } from './yuv-frames.ts';

reportRejections();

/** Frames between two reports. */
const REPORT_EVERY = 15;
/** A font that fails to load is not reported. */
const FONT_POLL_MS = 50;

const drawings = new Map<number, (bitmap: ImageBitmap | null) => void>();
let asks = 0;

workerScope.onmessage = async ({ data }: MessageEvent<ToDevice>) => {
  if (data.kind === 'drawing') {
    drawings.get(data.ask)?.(data.bitmap);
    drawings.delete(data.ask);
    return;
  }
  try {
    post({ kind: 'done', file: await render(data) });
  } catch (error) {
    post({
      kind: 'failed',
      fault: error instanceof DeviceError ? error.fault : { reason: 'other', detail: messageOf(error) },
    });
  }
};

function post(message: FromDevice): void {
  workerScope.postMessage(message);
}

function askForDrawing(hash: string, maxPx: number): Promise<ImageBitmap | null> {
  const { promise, resolve } = Promise.withResolvers<ImageBitmap | null>();
  asks += 1;
  drawings.set(asks, resolve);
  post({ kind: 'ask_drawing', ask: asks, hash, maxPx });
  return promise;
}

async function render(order: ToDevice & { kind: 'render' }): Promise<Blob> {
  const plan = unpacked(order.plan);
  const sound = new Promise<SoundDone>((resolve) => {
    order.sound.onmessage = ({ data }: MessageEvent<SoundDone>) => resolve(data);
  });
  await requireEncoder(plan);
  const pictures = await Pictures.open(plan, order.preset, order.files);
  const chunks: PacketIndex<Blob>[] = [];
  for (const chunk of plan.chunks) chunks.push(await encodeChunk(plan, chunk, pictures));
  return movieOf(plan, chunks, await sound);
}

/** Encodes the frames of a chunk; those that look the same as the one before are not drawn. (R22) */
async function encodeChunk(plan: RenderPlan, { start, end }: Chunk, pictures: Pictures): Promise<PacketIndex<Blob>> {
  const encoder = new ChunkEncoder(plan, materialOf(plan, { start, end }));
  try {
    for (let n = start; n < end; n = (n + 1) as Frames) {
      const isNew = await pictures.show(n);
      const at = n - start;
      const isKey = at % plan.encoder.keyframeEvery === 0;
      if (isNew || isKey) await encoder.encode(at, isKey, (from, length) => pictures.frame(from, length));
      else encoder.repeat();
      if ((n + 1) % REPORT_EVERY === 0) post({ kind: 'progress', frames: n + 1 });
    }
    return await encoder.finish();
  } finally {
    encoder.close();
  }
}

async function requireEncoder(plan: RenderPlan): Promise<void> {
  for (const { start, end } of plan.chunks) {
    const { supported } = await VideoEncoder.isConfigSupported(encoderConfig(plan, materialOf(plan, { start, end })));
    if (!supported) throw new DeviceError({ reason: 'encoder' });
  }
}

/** The frames of a plan, drawn by the code of the preview and converted by that of the service. */
class Pictures {
  readonly #plan: RenderPlan;
  readonly #sources: SourceShelf;
  readonly #composer: FrameComposer;
  readonly #context: Context;
  readonly #yuv: YuvFrames;
  /** Numbers of the pictures that clips show. */
  readonly #numbers = new WeakMap<object, number>();
  #counted = 0;
  #shown: string | null = null;

  private constructor(plan: RenderPlan, sources: SourceShelf, composer: FrameComposer) {
    this.#plan = plan;
    this.#sources = sources;
    this.#composer = composer;
    const canvas = new OffscreenCanvas(plan.canvas.width, plan.canvas.height);
    this.#context = canvas.getContext('2d', { alpha: false, willReadFrequently: true })!;
    this.#yuv = new YuvFrames(plan.canvas);
  }

  /** @throws DeviceError if a font or a picture is missing. */
  static async open(plan: RenderPlan, preset: string, blobs: ReadonlyMap<string, Blob>): Promise<Pictures> {
    const files = new MediaFiles(
      async (hash) => blobs.get(hash) ?? null,
      askForDrawing,
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
    if (painters.lacksPicture(plan)) throw new DeviceError({ reason: 'picture' });
    const blur = plan.theme.glass ? (await import('../preview/canvas/glass.ts')).blurUnderGlass : null;
    const sources = new SourceShelf(files, () => ({ frame: async () => null, end: () => {} }));
    return new Pictures(plan, sources, new FrameComposer(plan, painter, blur));
  }

  /** Draws frame `n`, unless it looks the same as the one before. @returns whether it differs. */
  async show(n: Frames): Promise<boolean> {
    const operations = frameAt(this.#plan, n);
    this.#sources.nextFrame();
    const pictures = new Map(
      await Promise.all(
        [...clipsIn(operations)].map(async ({ clip, at }) => [clip, await this.#picture(clip, at)] as const),
      ),
    );
    const content = shownContent(this.#plan, operations, (clip) => this.#numberOf(pictures.get(clip)!));
    if (content === this.#shown) return false;
    this.#shown = content;
    this.#composer.draw(this.#context, operations, pictures);
    this.#yuv.read(this.#context);
    return true;
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

/** The MP4: index in front, chapters, title, constant frame rate. (R17) */
function movieOf(plan: RenderPlan, chunks: readonly PacketIndex<Blob>[], sound: SoundDone): Blob {
  if ('fault' in sound) throw new DeviceError(sound.fault);
  const chapters = plan.chapterTrack ? plan.chapters : [];
  const { head, sources } = layOutMovie({ ...plan, chapters }, chunks, soundIndex(plan, sound));
  const parts = sources.map(
    (source): BlobPart =>
      'bytes' in source
        ? Uint8Array.from(source.bytes)
        : source.file.slice(source.offset, source.offset + source.length),
  );
  return new Blob([head, ...parts], { type: 'video/mp4' });
}

function soundIndex({ audio }: RenderPlan, sound: Exclude<SoundDone, { fault: unknown }>): PacketIndex<Blob> {
  // The first packet is before 0; those after the end are silence.
  const count = Math.min(sound.sizes.length, Math.ceil(audio.totalSamples / AAC_FRAME_SAMPLES) + 1);
  const sizes = sound.sizes.slice(0, count);
  return {
    file: sound.packets,
    offsets: offsetsOf(sizes),
    sizes,
    times: Float64Array.from(sizes, (_, nth) => (nth - 1) * AAC_FRAME_SAMPLES),
    keys: new Uint8Array(count).fill(1),
    ticksASecond: SAMPLE_RATE,
    config: sound.config,
  };
}
