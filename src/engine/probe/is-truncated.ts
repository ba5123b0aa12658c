import { readFile, stat } from 'node:fs/promises';
import { Frame } from 'node-av/lib';
import { endsEarly } from '../../image-header/ends-early.ts';
import { DEFAULT_IMAGE_LIMITS } from '../../image-header/image-header.ts';
import type { MediaContainer } from '../input/media-containers.ts';
import type { MediaLimits } from '../input/media-limits.ts';
import { PictureDecoder } from '../picture/picture-decoder.ts';

/**
 * Whether the file of a picture that can be decoded ends before the picture does. Some cameras write JPEGs without an
 * end mark: what counts there is whether pixels are missing. Files that are too large for an item are not examined.
 */
export async function isTruncated(
  file: string,
  container: MediaContainer,
  limits: MediaLimits,
  signal?: AbortSignal,
): Promise<boolean> {
  if ((await stat(file)).size > DEFAULT_IMAGE_LIMITS.maxBytes) return false;
  if (!endsEarly(await readFile(file, { signal }))) return false;
  if (container !== 'jpeg') return true;
  await using decoder = await PictureDecoder.open(file, limits, { whole: true, ...(signal && { signal }) });
  using frame = new Frame();
  frame.alloc();
  return (await decoder.next(frame)) === null;
}
