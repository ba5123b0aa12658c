import { open } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { ExportError } from '../../errors.ts';
import type { ImageHeader, PixelSize } from '../../image-header/image-header.ts';
import { readImageHeader } from '../../image-header/read-image-header.ts';
import { ANIMATIONS, STILLS } from './input-file.ts';
import type { MediaContainer } from './media-containers.ts';
import type { MediaLimits } from './media-limits.ts';
import { id3Length, otherKind, SNIFF_BYTES, sniffMedia } from './sniff-media.ts';

/** The type of a file, and for pictures their header. */
interface IdentifiedMedia {
  readonly container: MediaContainer;
  readonly header: ImageHeader | null;
}

/** Whether the file is a picture made of items, which libavformat returns as separate tiles: `HeifDecoder` reads it. */
export function isHeifContainer(container: MediaContainer): boolean {
  return container === 'heic' || container === 'avif';
}

const ID3_HEADER_BYTES = 10;
/** A file with more is meant to keep the reader busy. */
const MAX_TAGS = 1000;

const ACCEPTED =
  'Accepted are MP4, MOV, 3GP, WebM, Matroska, MPEG-TS, MPEG-PS, AVI, WMV, FLV; MP3, M4A, AAC, FLAC, WAV, Ogg, AIFF, WMA, AC-3, E-AC-3, ' +
  'WavPack, AMR; GIF, PNG, JPEG, JPEG XL, HEIC, WebP, AVIF, TIFF, BMP, ICO, SVG; and the fonts TTF, OTF, WOFF2.';

/** How far into a picture file its size may be hidden, behind metadata. */
const IMAGE_HEAD_BYTES = 8 * 1024 * 1024;

/**
 * Reads a file's first bytes. Decodes nothing, but already refuses a picture larger than the limits.
 *
 * @param file an absolute path that the server made, never an uploader's name.
 * @throws `media.missing`, `media.empty`, `media.unsupported`, `media.unreadable`, `media.too_many_pixels`.
 */
export async function identifyMedia(file: string, limits: MediaLimits): Promise<IdentifiedMedia> {
  if (!isAbsolute(file)) throw new Error(`media must be opened by absolute path, not ${JSON.stringify(file)}`);
  await using handle = await open(file).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT') throw cause;
    throw new ExportError('missing', 'media.missing', 'The media file does not exist.', { cause });
  });
  const read = async (position: number, length: number) => {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(length), position });
    return buffer.subarray(0, bytesRead);
  };
  const head = await read(0, SNIFF_BYTES);
  if (head.length === 0) throw new ExportError('invalid', 'media.empty', 'The media file is empty.');

  const tagged = await id3End(read);
  const container = tagged > 0 ? sniffMedia(await read(tagged, SNIFF_BYTES), true) : sniffMedia(head);
  if (container === null) {
    throw new ExportError(
      'unsupported',
      'media.unsupported',
      `The file is ${nameOfFile(head) ?? 'of an unknown kind'}. ${ACCEPTED}`,
    );
  }
  if (!STILLS.has(container) && !ANIMATIONS.has(container)) return { container, header: null };
  const header = headerIn(head) ?? headerIn(await read(0, IMAGE_HEAD_BYTES));
  if (header === null) throw unreadable();
  // A drawing has no pixels until it is drawn, and then as many as are wanted.
  if (container !== 'svg') checkImageSize(header, limits);
  return { container, header };
}

/** Where the ID3v2 tags in front of a file end: programs that do not know a tag put their own in front of it. */
async function id3End(read: (position: number, length: number) => Promise<Buffer>): Promise<number> {
  let end = 0;
  for (let tags = 0; tags < MAX_TAGS; tags++) {
    const length = id3Length(await read(end, ID3_HEADER_BYTES));
    if (length === 0) break;
    end += length;
  }
  return end;
}

/** A picture's header, or null if these first bytes do not hold it. */
function headerIn(head: Uint8Array): ImageHeader | null {
  try {
    return readImageHeader(head);
  } catch (error) {
    if (!(error instanceof ExportError)) throw error;
    if (error.kind === 'unsupported')
      throw new ExportError(error.kind, 'media.unsupported', error.message, { cause: error });
    return null;
  }
}

/** @throws `media.too_many_pixels`, or `media.unreadable` for a picture without pixels. */
export function checkImageSize({ width, height }: PixelSize, limits: MediaLimits): void {
  if (width === 0 || height === 0) throw unreadable();
  const { imageMaxPixels, imageMaxSide } = limits;
  if (width * height <= imageMaxPixels && Math.max(width, height) <= imageMaxSide) return;
  throw new ExportError(
    'invalid',
    'media.too_many_pixels',
    `The image is ${width}×${height}; at most ${imageMaxPixels / 1e6} megapixels and ${imageMaxSide} a side are allowed.`,
  );
}

/** The file is of a kind we take, and cannot be opened as one. */
export function unreadable(cause?: unknown): ExportError {
  const message = 'The media file is damaged: it could not be opened.';
  return new ExportError('invalid', 'media.unreadable', message, { cause });
}

/** How much of a file is looked at to call it text. */
const TEXT_BYTES = 512;

/** The name of an unsupported file type; null if it is unknown. */
function nameOfFile(head: Buffer): string | null {
  const known = otherKind(head);
  if (known !== null) return known;
  if (head.toString('latin1', 8, 12) === 'crx ') return 'a Canon raw photograph';
  const isText = head.subarray(0, TEXT_BYTES).every((byte) => byte >= 0x20 || byte === 9 || byte === 10 || byte === 13);
  return isText ? 'a text' : null;
}
