import type { MediaFacts } from '../../plan/model/media-facts.ts';
import type { FileLimits } from '../kit/file-limits.ts';
import * as texts from '../texts/en/import.ts';
import { megabytes } from '../texts/en/page.ts';

const FOREIGN_ENDINGS =
  /\.(docx?|xlsx?|pptx?|od[tsp]|pdf|txt|rtf|md|csv|html?|css|js|json|xml|ya?ml|zip|rar|7z|gz|tar|exe|dmg|iso|lnk|url|ini|log)$/i;
const FOREIGN_TYPES = /^text\/|^application\/(pdf|msword|rtf|zip|json|xml|vnd\.(openxmlformats|ms-|oasis))/;
/** If we cannot read one of these, the service cannot either: both use the same reader. */
const PLAIN_PICTURES = /^image\/(jpeg|png|gif|webp|bmp)$/;

/**
 * Why a file is refused; null if it is accepted. The service reads more formats than a browser, and fonts. So an unreadable file is
 * refused only if the service certainly cannot use it either.
 */
export function whyRefused(
  { name, type, size }: Pick<File, 'name' | 'type' | 'size'>,
  kind: MediaFacts['kind'],
  { maxFileBytes, maxImageFileBytes }: FileLimits,
): string | null {
  const isPicture = kind === 'still' || kind === 'animation' || kind === 'drawing';
  const max = isPicture ? Math.min(maxFileBytes, maxImageFileBytes) : maxFileBytes;
  if (size > max) return texts.tooLarge(name, rounded(size), rounded(max));
  if (kind !== 'unreadable') return null;
  const isMedia = /^(image|video|audio|font)\//.test(type);
  if (!isMedia && (FOREIGN_TYPES.test(type) || FOREIGN_ENDINGS.test(name))) {
    return texts.notMedia(name);
  }
  return PLAIN_PICTURES.test(type) ? texts.damagedPicture(name) : null;
}

function rounded(bytes: number): string {
  return bytes >= 1e9
    ? texts.gigabytes((bytes / 1e9).toFixed(1))
    : megabytes(Math.max(0.1, bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0));
}
