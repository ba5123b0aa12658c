import { messageOf } from '../../errors.ts';
import { layOutMovie } from '../../iso/mp4/movie-layout.ts';
import type { PacketIndex } from '../../iso/mp4/sample-table.ts';
import type { Chunk, RenderPlan } from '../../plan/model/render-plan.ts';
import { cutOutput } from '../../plan/plan-outline.ts';
import type { Frames, Samples } from '../../time.ts';
import {
  DeviceError,
  type DeviceFault,
  type FromDevice,
  type ToDevice,
  type UsedEncoder,
} from '../export/device-messages.ts';
import { forgetParts, useParts } from '../keeping/part-folder.ts';
import { reportRejections, workerScope } from '../kit/worker-scope.ts';
import { unpacked } from '../session/packed-plan.ts';
import { ChunkEncoder, identityOf } from './chunk-encoder.ts';
import { ChunkQuality, type DrawnFrames } from './chunk-quality.ts';
import { bitrateOf, type Effort, encoderConfig, usualEffort } from './encoder-choice.ts';
import { KeptParts } from './kept-parts.ts';
import { chunkKeys, soundKey } from './part-keys.ts';
import { Pictures } from './pictures.ts';
import type { SoundDone } from './sound-done.ts';

reportRejections();

/** Frames between two reports. */
const REPORT_EVERY = 15;

/** What a file contains: the whole video, or a short that is cut from it. */
interface Movie extends Pick<RenderPlan, 'title' | 'totalFrames' | 'chunks' | 'chapters'> {
  readonly totalSamples: Samples;
  /** Where its sound begins in the mix of the whole; absent: at its start. */
  readonly soundStart?: Samples;
}

/** A plan that was checked. */
interface Ready {
  readonly plan: RenderPlan;
  readonly movie: Movie;
  readonly encoder: UsedEncoder;
  readonly parts: KeptParts;
  readonly keys: readonly string[];
  readonly pictures: Pictures;
  readonly quality: ChunkQuality;
}

const drawings = new Map<number, (bitmap: ImageBitmap | null) => void>();
let asks = 0;
let ready: Ready | null = null;

workerScope.onmessage = async ({ data }: MessageEvent<ToDevice>) => {
  if (data.kind === 'drawing') {
    drawings.get(data.ask)?.(data.bitmap);
    drawings.delete(data.ask);
    return;
  }
  try {
    if (data.kind === 'check') post({ kind: 'checked', faults: await check(data) });
    else post({ kind: 'done', file: await render(ready!, data.sound), spentMs: ready!.pictures.spent.ms });
  } catch (error) {
    post({ kind: 'failed', fault: faultOf(error) });
  }
};

function post(message: FromDevice): void {
  workerScope.postMessage(message);
}

function faultOf(error: unknown): DeviceFault {
  return error instanceof DeviceError ? error.fault : { reason: 'other', detail: messageOf(error) };
}

function askForDrawing(hash: string, maxPx: number): Promise<ImageBitmap | null> {
  const { promise, resolve } = Promise.withResolvers<ImageBitmap | null>();
  asks += 1;
  drawings.set(asks, resolve);
  post({ kind: 'ask_drawing', ask: asks, hash, maxPx });
  return promise;
}

/** All that is in the way of rendering a plan here, before anything is rendered. */
async function check(order: ToDevice & { kind: 'check' }): Promise<readonly DeviceFault[]> {
  const plan = unpacked(order.plan);
  const { encoder, preset, files } = order;
  const movie = order.short === null ? { ...plan, totalSamples: plan.audio.totalSamples } : shortOf(plan, order.short);
  const parts = await KeptParts.open();
  const keys = chunkKeys(plan, movie.chunks, encoder);
  const faults: DeviceFault[] = [];
  const sound = soundKey(plan, order.soundProgram);
  const space = await lackingSpace({ plan, chunks: movie.chunks, keys, sound, parts }, order.freeBytes);
  if (space !== null) faults.push(space);
  const pictures = await Pictures.open({ plan, preset, files, drawing: askForDrawing }).catch((error: unknown) => {
    faults.push(faultOf(error));
    return null;
  });
  if (pictures !== null) {
    faults.push(...(await pictures.clipFaults()));
    ready = { plan, movie, encoder, parts, keys, pictures, quality: new ChunkQuality(plan) };
  }
  return faults;
}

async function render(checked: Ready, from: MessagePort): Promise<Blob> {
  const { movie, parts, keys } = checked;
  let heard: SoundDone | null = null;
  const sound = new Promise<SoundDone>((resolve) => {
    from.onmessage = ({ data }: MessageEvent<SoundDone>) => {
      heard = data;
      resolve(data);
    };
  });
  // The worker ends once the page holds the parts.
  await useParts();
  post({ kind: 'begins' });
  const chunks: PacketIndex<Blob>[] = [];
  for (const [index, chunk] of movie.chunks.entries()) {
    requireSound(heard);
    let isFound = true;
    const make = () => {
      isFound = false;
      return makeChunk(checked, chunk);
    };
    chunks.push(await parts.part(keys[index]!, make));
    post({ kind: 'progress', share: shareAt(movie, chunk.end), isFound });
  }
  return movieOf(checked, chunks, await sound);
}

/** @throws DeviceError if the sound is known to fail. */
function requireSound(sound: SoundDone | null): void {
  if (sound !== null && 'fault' in sound) throw new DeviceError(sound.fault);
}

interface Needed {
  readonly plan: RenderPlan;
  readonly chunks: readonly Chunk[];
  /** The keys of the chunks, and of the sound. */
  readonly keys: readonly string[];
  readonly sound: string;
  readonly parts: KeptParts;
}

/** Whether there is too little space for what is not stored yet, at the usual rates. Some chunks need more, and some less. */
async function lackingSpace({ plan, chunks, keys, sound, parts }: Needed, free: number): Promise<DeviceFault | null> {
  const { rate, audio, totalFrames } = plan;
  let bits = (await parts.has(sound)) ? 0 : (audio.bitrateKbps * 1000 * totalFrames * rate.den) / rate.num;
  for (const [index, chunk] of chunks.entries()) {
    if (await parts.has(keys[index]!)) continue;
    bits += (bitrateOf(plan, usualEffort(plan, chunk)) * (chunk.end - chunk.start) * rate.den) / rate.num;
  }
  const bytes = Math.ceil(bits / 8);
  if (free >= bytes) return null;
  // A browser may say how much is free only roughly, so the deleted bytes are added.
  const deleted = await forgetParts(bytes - free, new Set([...keys, sound]));
  return free + deleted < bytes ? { reason: 'storage', bytes } : null;
}

/**
 * Encodes a chunk with as much effort as it needs.
 *
 * @throws DeviceError if the chunk cannot be joined with others, so that it is not stored.
 */
async function makeChunk({ plan, movie, pictures, encoder, quality }: Ready, chunk: Chunk): Promise<PacketIndex<Blob>> {
  const { codec } = encoderConfig(plan, encoder, usualEffort(plan, chunk));
  // An attempt may not be the last one: each counts for three quarters of what is left of the chunk.
  let [from, to] = [0, 0];
  const attempt = (effort: Effort, drawn: DrawnFrames) => {
    [from, to] = [to, to + (3 / 4) * (1 - to)];
    const order = { plan, movie, pictures, chunk, drawn, counts: { from, to } };
    return encodeChunk(order, new ChunkEncoder(plan, encoder, effort));
  };
  const part = await quality.encode(chunk, codec, attempt, (compare) => pictures.spent.until('compare', compare));
  if (identityOf(part) !== encoder.identity) throw new DeviceError({ reason: 'changed' });
  return part;
}

interface Attempt {
  readonly plan: RenderPlan;
  readonly movie: Movie;
  readonly pictures: Pictures;
  readonly chunk: Chunk;
  readonly drawn: DrawnFrames;
  /** The shares of the chunk's progress at which it begins and ends. */
  readonly counts: { readonly from: number; readonly to: number };
}

/** Encodes the frames of a chunk; those that look the same as the one before are not drawn. (R22) */
async function encodeChunk(
  { plan, movie, pictures, chunk: { start, end }, drawn, counts }: Attempt,
  encoder: ChunkEncoder,
): Promise<PacketIndex<Blob>> {
  const { spent } = pictures;
  pictures.forget();
  try {
    for (let n = start; n < end; n = (n + 1) as Frames) {
      const isNew = await pictures.show(n);
      const at = n - start;
      const isKey = at % plan.encoder.keyframeEvery === 0;
      if (isNew || isKey) {
        await spent.until('compare', () => drawn.drawn(at, () => pictures.frame(0, 1)));
        await spent.until('encode', () => encoder.encode(at, isKey, (from, length) => pictures.frame(from, length)));
      } else encoder.repeat();
      if ((n + 1) % REPORT_EVERY !== 0) continue;
      const counted = counts.from + ((n + 1 - start) / (end - start)) * (counts.to - counts.from);
      post({ kind: 'progress', share: shareAt(movie, start + counted * (end - start)), isFound: false });
    }
    return await spent.until('encode', () => encoder.finish());
  } finally {
    encoder.close();
  }
}

/** The share of a video that is done when its frames before `n` are, counted as in the plan. */
function shareAt({ chunks, totalFrames }: Movie, n: number): number {
  return (n - chunks[0]!.start) / totalFrames;
}

/** A short: frames and sound of the whole, in a file of its own. (C52) */
function shortOf(plan: RenderPlan, number: number): Movie {
  return cutOutput(plan, plan.shorts[number - 1]!);
}

/** The MP4: index in front, chapters, title, constant frame rate. (R17) */
function movieOf({ plan, movie }: Ready, chunks: readonly PacketIndex<Blob>[], sound: SoundDone): Blob {
  if ('fault' in sound) throw new DeviceError(sound.fault);
  const { title, totalFrames, totalSamples, soundStart } = movie;
  const chapters = plan.chapterTrack ? movie.chapters : [];
  const { canvas, rate } = plan;
  const assembled = {
    title,
    canvas,
    rate,
    totalFrames,
    chunks: movie.chunks,
    chapters,
    audio: { totalSamples },
    soundStart,
  };
  const { head, sources } = layOutMovie(assembled, chunks, sound.sound);
  const parts = sources.map(
    (source): BlobPart =>
      'bytes' in source
        ? Uint8Array.from(source.bytes)
        : source.file.slice(source.offset, source.offset + source.length),
  );
  return new Blob([head, ...parts], { type: 'video/mp4' });
}
