import { messageOf } from '../../errors.ts';
import { layOutMovie } from '../../iso/mp4/movie-layout.ts';
import type { PacketIndex } from '../../iso/mp4/sample-table.ts';
import { clipsIn, frameAt } from '../../plan/frame/frame-at.ts';
import type { Chunk, RenderPlan } from '../../plan/model/render-plan.ts';
import type { Frames } from '../../time.ts';
import { DeviceError, type FromDevice, type ToDevice } from '../export/device-messages.ts';
import { forgetParts, useParts } from '../keeping/part-folder.ts';
import { reportRejections, workerScope } from '../kit/worker-scope.ts';
import { BrowserFonts } from '../preview/canvas/browser-fonts.ts';
import type { Context, Drawable } from '../preview/canvas/browser-surface.ts';
import { FrameComposer, shownContent } from '../preview/canvas/compose-frame.ts';
import { MediaFiles } from '../preview/canvas/media-files.ts';
import { PresetPainters } from '../preview/canvas/preset-painters.ts';
import { SourceShelf } from '../preview/canvas/source-shelf.ts';
import { unpacked } from '../session/packed-plan.ts';
import { ChunkEncoder, encoderConfig } from './chunk-encoder.ts';
import { KeptParts } from './kept-parts.ts';
import { chunkKeys, soundKey } from './part-keys.ts';
import type { SoundDone } from './sound-done.ts';
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
  let heard: SoundDone | null = null;
  const sound = new Promise<SoundDone>((resolve) => {
    order.sound.onmessage = ({ data }: MessageEvent<SoundDone>) => {
      heard = data;
      resolve(data);
    };
  });
  await requireEncoder(plan);
  const parts = await KeptParts.open();
  const keys = chunkKeys(plan);
  await requireSpace(plan, keys, parts, order.freeBytes);
  // The worker ends once the page holds the parts.
  await useParts();
  post({ kind: 'begins' });
  const pictures = await Pictures.open(plan, order.preset, order.files);
  const chunks: PacketIndex<Blob>[] = [];
  for (const [index, chunk] of plan.chunks.entries()) {
    requireSound(heard);
    let isFound = true;
    const make = () => {
      isFound = false;
      return encodeChunk(plan, chunk, pictures);
    };
    chunks.push(await parts.part(keys[index]!, make));
    post({ kind: 'progress', frames: chunk.end, isFound });
  }
  return movieOf(plan, chunks, await sound);
}

/** @throws DeviceError if the sound is known to fail. */
function requireSound(sound: SoundDone | null): void {
  if (sound !== null && 'fault' in sound) throw new DeviceError(sound.fault);
}

/** @throws DeviceError unless there is space for what is not stored yet, at the rates that the encoder is given. */
async function requireSpace(plan: RenderPlan, keys: readonly string[], parts: KeptParts, free: number): Promise<void> {
  const { chunks, rate, audio, totalFrames } = plan;
  const seconds = (frames: number) => (frames * rate.den) / rate.num;
  const sound = soundKey(plan);
  let bits = (await parts.has(sound)) ? 0 : audio.bitrateKbps * 1000 * seconds(totalFrames);
  for (const [index, chunk] of chunks.entries()) {
    if (await parts.has(keys[index]!)) continue;
    bits += encoderConfig(plan, chunk).bitrate! * seconds(chunk.end - chunk.start);
  }
  const bytes = Math.ceil(bits / 8);
  if (free >= bytes) return;
  // A browser may say how much is free only roughly, so the deleted bytes are added.
  const deleted = await forgetParts(bytes - free, new Set([...keys, sound]));
  if (free + deleted < bytes) throw new DeviceError({ reason: 'storage', bytes });
}

/** Encodes the frames of a chunk; those that look the same as the one before are not drawn. (R22) */
async function encodeChunk(plan: RenderPlan, chunk: Chunk, pictures: Pictures): Promise<PacketIndex<Blob>> {
  const { start, end } = chunk;
  const encoder = new ChunkEncoder(encoderConfig(plan, chunk), plan.rate);
  pictures.forget();
  try {
    for (let n = start; n < end; n = (n + 1) as Frames) {
      const isNew = await pictures.show(n);
      const at = n - start;
      const isKey = at % plan.encoder.keyframeEvery === 0;
      if (isNew || isKey) await encoder.encode(at, isKey, (from, length) => pictures.frame(from, length));
      else encoder.repeat();
      if ((n + 1) % REPORT_EVERY === 0) post({ kind: 'progress', frames: n + 1, isFound: false });
    }
    return await encoder.finish();
  } finally {
    encoder.close();
  }
}

async function requireEncoder(plan: RenderPlan): Promise<void> {
  for (const chunk of plan.chunks) {
    const { supported } = await VideoEncoder.isConfigSupported(encoderConfig(plan, chunk));
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

/** The MP4: index in front, chapters, title, constant frame rate. (R17) */
function movieOf(plan: RenderPlan, chunks: readonly PacketIndex<Blob>[], sound: SoundDone): Blob {
  if ('fault' in sound) throw new DeviceError(sound.fault);
  const chapters = plan.chapterTrack ? plan.chapters : [];
  const { head, sources } = layOutMovie({ ...plan, chapters }, chunks, sound.sound);
  const parts = sources.map(
    (source): BlobPart =>
      'bytes' in source
        ? Uint8Array.from(source.bytes)
        : source.file.slice(source.offset, source.offset + source.length),
  );
  return new Blob([head, ...parts], { type: 'video/mp4' });
}
