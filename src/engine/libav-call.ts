import { AV_LOG_QUIET } from 'node-av/constants';
import { FFmpegError, Log } from 'node-av/lib';

// libav writes to stderr of its own accord; what matters comes back as result codes.
Log.setLevel(AV_LOG_QUIET);

/**
 * A call of libav that cannot fail because of what a user sent: a negative result is a bug or a lack of memory.
 * Returns the result for calls whose result says more than success.
 */
export function mustSucceed(result: number, call: string): number {
  if (result < 0) throw new Error(`${call}: ${FFmpegError.strerror(result)}`);
  return result;
}

/** What libav says about a result code, to be the `cause` of an error whose message is ours. */
export function libavCause(result: number, call: string): Error {
  return new Error(`${call}: ${FFmpegError.strerror(result)} (${result})`);
}
