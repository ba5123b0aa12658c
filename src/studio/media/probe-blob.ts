import type { InputAudioTrack } from 'mediabunny';
import { readImageHeader } from '../../image-header/read-image-header.ts';
import type { MediaFacts } from '../../plan/media-facts.ts';
import type { MediaEntry } from '../document/project.ts';
import { LISTENED_SECONDS, RoleGuess } from './guess-role.ts';

/** The result of a probe in the browser; `thumb` is a thumbnail, if one can be made. */
export interface ProbedFile {
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
export async function probeBlob(file: Blob): Promise<ProbedFile> {
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
    const duration = Math.round((await input.computeDuration()) * 1e6) / 1e6;
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
