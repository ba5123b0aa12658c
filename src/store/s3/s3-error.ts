import { S3ServiceException } from '@aws-sdk/client-s3';
import { ExportError } from '../../errors.ts';
import { blobMissing, busy, failed, storeDiskFull } from '../store-error.ts';

const MISSING = new Set(['NoSuchKey', 'NotFound']);
const FULL = new Set(['QuotaExceeded', 'XMinioStorageFull', 'InsufficientCapacity']);
/** Network errors. */
const UNREACHABLE = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_SOCKET', 'ERR_STREAM_PREMATURE_CLOSE'],
]);

/** Converts a failed call to S3; returns other errors unchanged. */
export function s3Error(cause: unknown): unknown {
  if (cause instanceof ExportError || !(cause instanceof Error)) return cause;
  if (cause instanceof S3ServiceException) return serviceError(cause);
  if (isOfTheNetwork(cause) || isUnreadable(cause)) return unreachable(cause);
  // There are no credentials, or they cannot be loaded.
  return cause.name === 'CredentialsProviderError' ? failed(cause) : cause;
}

/** Whether a retry on another connection may succeed. */
export function isTransient(cause: unknown): boolean {
  const known = s3Error(cause);
  return known instanceof ExportError && (known.code === 'store.busy' || known.code === 'store.unreachable');
}

function serviceError(cause: S3ServiceException): ExportError {
  const status = cause.$metadata.httpStatusCode ?? 0;
  // A missing bucket is an error of the operator.
  if (MISSING.has(cause.name) || (status === 404 && cause.name !== 'NoSuchBucket')) return blobMissing(cause);
  if (FULL.has(cause.name) || status === 507) return storeDiskFull(cause);
  // A server that does not support a call will not support it on a retry.
  if ((status >= 500 && status !== 501) || status === 429 || status === 408 || cause.name === 'RequestTimeout')
    return busy(cause);
  return failed(cause);
}

function isOfTheNetwork(cause: Error): boolean {
  const { code } = cause as { code?: unknown };
  return cause.name === 'TimeoutError' || (typeof code === 'string' && UNREACHABLE.has(code));
}

/** Whether a response broke off: the SDK could not parse it and does not retry it. */
export function isUnreadable(cause: unknown): boolean {
  return cause instanceof Error && !(cause instanceof S3ServiceException) && '$response' in cause;
}

function unreachable(cause: unknown): ExportError {
  const message = 'The file store cannot be reached. Try again later.';
  return new ExportError('unavailable', 'store.unreachable', message, { cause });
}
