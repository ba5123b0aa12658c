import { AV_LOG_QUIET, AVERROR_ENOMEM, AVERROR_ENOSPC } from 'node-av/constants';
import { FFmpegError, Log } from 'node-av/lib';
import { ExportError } from '../../errors.ts';
import { renderDiskFull } from '../../platform/disk-full.ts';

// libav writes to stderr of its own accord; what matters comes back as result codes.
Log.setLevel(AV_LOG_QUIET);

/**
 * A call of libav that cannot fail because of what a user sent: a negative result is a bug or a lack of memory.
 * Returns the result for calls whose result says more than success.
 *
 * @throws `render.disk_full` where a file could not be written for lack of room.
 */
export function mustSucceed(result: number, call: string): number {
  if (result === AVERROR_ENOSPC) throw renderDiskFull(libavCause(result, call));
  if (result < 0) throw new Error(`${call}: ${FFmpegError.strerror(result)}`);
  return result;
}

/**
 * For results of reading and decoding what a user sent, where damage is skipped: a lack of memory is not, since the same
 * file would look different where there is more of it. Damaged files ask for memory that nobody has.
 *
 * @throws `media.unreadable`
 */
export function requireMemory(result: number, call: string): void {
  if (result !== AVERROR_ENOMEM) return;
  const message = 'The media file is damaged: reading it asks for more memory than there is.';
  throw new ExportError('invalid', 'media.unreadable', message, { cause: libavCause(result, call) });
}

/** What libav says about a result code, to be the `cause` of an error whose message is ours. */
export function libavCause(result: number, call: string): Error {
  return new Error(`${call}: ${FFmpegError.strerror(result)} (${result})`);
}
