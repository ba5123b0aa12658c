import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { InputAudioTrack } from 'mediabunny';
import { readImageHeader } from '../../image-header/read-image-header.ts';
import type { MediaFacts } from '../../plan/model/media-facts.ts';
import type { MediaEntry } from '../document/project.ts';
import type { FileLimits } from '../kit/file-limits.ts';
import { LISTENED_SECONDS, RoleGuess } from './guess-role.ts';
import { type Kept, mediaFolders, writeMedia } from './media-folders.ts';
import { whyRefused } from './refused-file.ts';

/** A file to probe, and the reply. */
export interface ImportRequest {
  readonly id: number;
  readonly file: Blob;
  /** Also stores the file if it is within these limits. The page stays free to draw. */
  readonly keepWithin: FileLimits | null;
}

export type ImportReply = { readonly id: number } & (
  | ({ readonly hash: string; readonly kept: Kept | null } & ProbedFile)
  /** The file cannot be read: it is gone, or access is denied. Or it is `NOT_LOADED`. */
  | { readonly fault: string }
);

const folders = mediaFolders();

addEventListener('message', async ({ data }: MessageEvent<ImportRequest>) => {
  postMessage(await reply(data));
});

async function reply({ id, file, keepWithin }: ImportRequest): Promise<ImportReply> {
  try {
    const [hash, found] = await Promise.all([hashBlob(file), probeBlob(file)]);
    const place = await folders;
    const isTaken =
      keepWithin !== null && file instanceof File && whyRefused(file, found.facts.kind, keepWithin) === null;
    const kept = isTaken && place !== null ? await writeMedia(place, hash, file, found.thumb) : null;
    return { id, hash, kept, ...found };
  } catch (error) {
    return { id, fault: String(error) };
  }
}

const AT_ONCE_BYTES = 64 << 20;

/** SHA-256 of a file's bytes, in hex. Reads large files in parts to limit memory. */
async function hashBlob(file: Blob): Promise<string> {
  // The browser's own digest is ten times as fast, but needs the whole file in memory and a secure context.
  if (file.size <= AT_ONCE_BYTES && globalThis.crypto?.subtle !== undefined) {
    return bytesToHex(new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer())));
  }
  const hash = sha256.create();
  const reader = file.stream().getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) hash.update(part.value);
  return bytesToHex(hash.digest());
}

/** The result of a probe in the browser; `thumb` is a thumbnail, if one can be made. */
interface ProbedFile {
  readonly facts: Omit<MediaFacts, 'hash'>;
  readonly thumb: Blob | null;
  /** The guessed role of a sound; null: neither voice nor music, or unknown. */
  readonly role?: MediaEntry['role'] | null;
}

const UNREADABLE = { kind: 'unreadable', duration: 0, width: 0, height: 0, alpha: false, sound: false } as const;
const HEADER_BYTES = 1 << 20;
const THUMB_PX = 192;

/**
 * Runs in a worker. Never throws because of a file's content: a file that cannot be read is `unreadable`, and the service may still
 * read it.
 */
async function probeBlob(file: Blob): Promise<ProbedFile> {
  try {
    const { format, frames, width, height } = readImageHeader(
      new Uint8Array(await file.slice(0, HEADER_BYTES).arrayBuffer()),
    );
    if (format === 'svg') {
      return { facts: { ...UNREADABLE, kind: 'drawing', width, height, alpha: true }, thumb: null };
    }
    const kind = frames > 1 ? 'animation' : 'still';
    const { thumb, alpha } = await pictureThumb(file);
    return { facts: { ...UNREADABLE, kind, width, height, alpha }, thumb };
  } catch {
    return probeClip(file);
  }
}

async function pictureThumb(file: Blob): Promise<{ thumb: Blob | null; alpha: boolean }> {
  // The service can decode what this browser cannot (HEIC, TIFF). Until then the studio shows its name.
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (bitmap === null) return { thumb: null, alpha: false };
  const { canvas, context } = fitted(bitmap);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const pixels = context.getImageData(0, 0, canvas.width, canvas.height).data;
  let alpha = false;
  for (let i = 3; i < pixels.length && !alpha; i += 4) alpha = pixels[i] !== 255;
  return { thumb: await canvas.convertToBlob({ type: 'image/webp', quality: 0.85 }), alpha };
}

function fitted({ width, height }: { readonly width: number; readonly height: number }) {
  const scale = Math.min(1, THUMB_PX / Math.min(width, height));
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)));
  return { canvas, context: canvas.getContext('2d', { willReadFrequently: true })! };
}

async function probeClip(file: Blob): Promise<ProbedFile> {
  const { ALL_FORMATS, BlobSource, CanvasSink, Input } = await import('mediabunny');
  const nothing: ProbedFile = { facts: UNREADABLE, thumb: null };
  try {
    using input = new Input({ source: new BlobSource(file), formats: ALL_FORMATS });
    const video = await input.getPrimaryVideoTrack();
    const audio = await input.getPrimaryAudioTrack();
    if (video === null && audio === null) return nothing;
    const { playedPart } = await import('./played-part.ts');
    const { origin, end } = await playedPart(input, file);
    // The trim of an MP3; other containers declare what is played.
    const whole = await input.computeDuration();
    const duration = Math.round((end === null ? whole : end - origin) * 1e6) / 1e6;
    const sound = audio !== null;
    if (video === null) {
      const role = await roleOf(audio!, duration).catch(() => null);
      return { facts: { ...UNREADABLE, kind: 'audio', duration, sound }, thumb: null, role };
    }
    const facts = {
      kind: 'video',
      duration,
      width: await video.getDisplayWidth(),
      height: await video.getDisplayHeight(),
      alpha: false,
      sound,
    } as const;
    if (!(await video.canDecode())) return { facts, thumb: null };
    const sink = new CanvasSink(video, { height: THUMB_PX });
    const shown = await sink.getCanvas(duration * 0.1).catch(() => null);
    const canvas = shown?.canvas as OffscreenCanvas | undefined;
    return { facts, thumb: (await canvas?.convertToBlob({ type: 'image/webp', quality: 0.85 })) ?? null };
  } catch {
    return nothing;
  }
}

/** Guesses the role from the start of a sound. */
async function roleOf(track: InputAudioTrack, duration: number): Promise<MediaEntry['role'] | null> {
  if (!(await track.canDecode())) return null;
  const { AudioSampleSink } = await import('mediabunny');
  const guess = new RoleGuess();
  const from = await track.getFirstTimestamp();
  for await (const sample of new AudioSampleSink(track).samples(from, from + LISTENED_SECONDS)) {
    using held = sample;
    const samples = new Float32Array(held.numberOfFrames);
    held.copyTo(samples, { planeIndex: 0, format: 'f32-planar' });
    guess.push(samples, held.sampleRate);
  }
  return guess.role(duration);
}
