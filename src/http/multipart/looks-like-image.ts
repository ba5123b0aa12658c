/** How many leading bytes the answer depends on. */
export const IMAGE_HEAD_BYTES = 12;

/** What HEIC and AVIF put first, of all files that begin as films do. */
const HEIF_BRANDS: ReadonlySet<string> = new Set([
  'avif',
  'avis',
  'heic',
  'heix',
  'heim',
  'heis',
  'mif1',
  'mif2',
  'msf1',
]);

/**
 * Whether a file begins like one of the image formats we take: those have a size limit of their own, whatever the
 * uploader calls them. What a file really is, is found out later and elsewhere, inside the sandbox.
 */
export function looksLikeImage(head: Buffer): boolean {
  const at = (offset: number, length: number) => head.toString('latin1', offset, offset + length);
  return (
    at(0, 8) === '\x89PNG\r\n\x1a\n' ||
    at(0, 3) === '\xff\xd8\xff' ||
    at(0, 4) === 'GIF8' ||
    (at(0, 4) === 'RIFF' && at(8, 4) === 'WEBP') ||
    (at(4, 4) === 'ftyp' && HEIF_BRANDS.has(at(8, 4))) ||
    at(0, 4) === 'II*\0' ||
    at(0, 4) === 'MM\0*' ||
    at(0, 2) === 'BM'
  );
}
