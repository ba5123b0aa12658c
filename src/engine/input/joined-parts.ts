import { stat } from 'node:fs/promises';
import { RecentMap } from '../../collections.ts';
import { ExportError } from '../../errors.ts';
import { type Micros, micros, microsAt } from '../../time.ts';
import { type FilePart, findParts } from './find-parts.ts';
import { identifyMedia } from './identify-media.ts';
import type { InputFile } from './input-file.ts';
import type { MediaContainer } from './media-containers.ts';
import type { MediaLimits } from './media-limits.ts';
import { openInput } from './open-input.ts';
import { presentationStart } from './presentation-start.ts';
import { scanPackets } from './scan-packets.ts';
import { pictureSpan, soundSpan } from './stream-spans.ts';

/** One of the files that a file was joined from, and its place in it. */
export interface JoinedPart extends FilePart {
  /** Its source time 0 in the source time of the whole file. */
  readonly start: Micros;
  readonly hasPicture: boolean;
  readonly hasSound: boolean;
}

/** Recently opened files: a render opens the same file many times. */
const known = new RecentMap<string, Promise<readonly JoinedPart[] | null>>(64);

/**
 * The files that a file was joined from (chained Ogg, and others that `findParts` knows), laid end to end: each begins
 * where the one before stopped, by its picture if there is one. Null if the file has one part. (R21)
 *
 * @throws the errors of `identifyMedia`, and `media.too_many_streams`.
 */
export async function joinedParts(file: string, limits: MediaLimits): Promise<readonly JoinedPart[] | null> {
  const { container } = await identifyMedia(file, limits);
  const { size, mtimeMs, ino } = await stat(file);
  const key = [file, size, mtimeMs, ino].join(' ');
  const found = known.getOrMake(key, () => layOut(file, container, limits));
  found.catch(() => known.delete(key));
  return found;
}

async function layOut(
  file: string,
  container: MediaContainer,
  limits: MediaLimits,
): Promise<readonly JoinedPart[] | null> {
  const parts = await findParts(file, container);
  if (parts.length < 2) return null;
  const laid: JoinedPart[] = [];
  let start = micros(0);
  for (const part of parts) {
    await using input = await openPart(file, part, limits);
    if (input === null) continue;
    laid.push({ ...part, start, hasPicture: input.video !== null, hasSound: input.audio !== null });
    start = micros(start + (await lengthOf(input)));
  }
  return laid.length === 0 ? null : laid;
}

/** Null if the part cannot be read: the others can. */
async function openPart(file: string, part: FilePart, limits: MediaLimits): Promise<InputFile | null> {
  try {
    return await openInput(file, limits, undefined, part);
  } catch (error) {
    if (error instanceof ExportError && error.code === 'media.unreadable') return null;
    throw error;
  }
}

async function lengthOf(input: InputFile): Promise<Micros> {
  const origin = presentationStart(input);
  const scans = await scanPackets(input);
  if (input.video !== null) return microsAt(pictureSpan(input, scans.get(input.video.index)!, origin).end);
  if (input.audio !== null) return microsAt(soundSpan(input, scans.get(input.audio.index)!, origin).end);
  return micros(0);
}
