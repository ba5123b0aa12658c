import { AV_LOG_QUIET, AVERROR_ENOMEM, AVERROR_ENOSPC } from 'node-av/constants';
import { FFmpegError, Log } from 'node-av/lib';
import { ExportError } from '../../errors.ts';
import { renderDiskFull } from '../../platform/disk-full.ts';

// libav writes to stderr by itself; result codes report everything that matters.
Log.setLevel(AV_LOG_QUIET);

/**
 * Checks a call of libav that no user input can make fail: a negative result is a bug or a lack of memory. Returns the
 * result for calls whose result says more than success.
 *
 * @throws `render.disk_full` if a file could not be written for lack of room.
 */
export function mustSucceed(result: number, call: string): number {
  if (result === AVERROR_ENOSPC) throw renderDiskFull(libavCause(result, call));
  if (result < 0) throw new Error(`${call}: ${FFmpegError.strerror(result)}`);
  return result;
}

/**
 * Checks results of reading and decoding uploads, where damage is skipped. A lack of memory is not skipped, since the
 * same file would look different on a larger machine. Damaged files may ask for any amount of memory.
 *
 * @throws `media.unreadable`
 */
export function requireMemory(result: number, call: string): void {
  if (result !== AVERROR_ENOMEM) return;
  const message = 'The media file is damaged: reading it asks for more memory than there is.';
  throw new ExportError('invalid', 'media.unreadable', message, { cause: libavCause(result, call) });
}

/** The libav message of a result code, as the `cause` of an error whose message is ours. */
export function libavCause(result: number, call: string): Error {
  return new Error(`${call}: ${FFmpegError.strerror(result)} (${result})`);
}
