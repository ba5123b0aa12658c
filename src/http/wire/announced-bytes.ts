import { ExportError } from '../../errors.ts';

/** The bytes that a request sends: `start … end` of `bytes`, `end` excluded. */
export interface AnnouncedBytes {
  readonly start: number;
  readonly end: number;
  readonly bytes: number;
}

const CONTENT_RANGE = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/;

/**
 * Reads the announced length: of everything (`Content-Length`), or of a part (`Content-Range: bytes 0-99/200`, which
 * `curl -C` sends).
 *
 * @throws `media.length_required`, `media.range`
 */
export function announcedBytes(contentLength: string | undefined, contentRange: string | undefined): AnnouncedBytes {
  const length = contentLength === undefined ? null : Number(contentLength);
  if (contentRange === undefined) {
    if (length === null) throw lengthRequired();
    return { start: 0, end: length, bytes: length };
  }
  const [start, last, bytes] = CONTENT_RANGE.exec(contentRange)?.slice(1).map(Number) ?? [];
  if (start === undefined || last === undefined || bytes === undefined || start > last || last >= bytes) {
    throw badRange('It must be "bytes first-last/whole", such as "bytes 0-99/200".');
  }
  if (length !== null && length !== last + 1 - start)
    throw badRange(`Its length differs from the ${length} bytes of the body.`);
  return { start, end: last + 1, bytes };
}

function lengthRequired(): ExportError {
  const message = 'Send the length of the body with Content-Length, or with Content-Range if that is not possible.';
  return new ExportError('malformed', 'media.length_required', message);
}

function badRange(reason: string): ExportError {
  return new ExportError('malformed', 'media.range', `The Content-Range header cannot be used. ${reason}`);
}
