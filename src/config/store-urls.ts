import { BLOB_BACKENDS, type BlobPlace } from '../store/blob-backends.ts';
import type { ValueParser } from './value-parsers.ts';

/** The address of a PostgreSQL database, or null. */
export const databaseUrl: ValueParser<string | null> = (given) => {
  if (given === '') return { value: null };
  const url = URL.parse(given);
  const isDatabase = url !== null && /^postgres(ql)?:$/.test(url.protocol) && url.pathname.length > 1;
  return isDatabase ? { value: given } : { allowed: 'an address such as postgres://user:password@host:5432/database' };
};

/** Examples of blob URLs. */
export const BLOBS_URL_EXAMPLES = BLOB_BACKENDS.map(({ example }) => example).join(' or ');

/** A URL of one of the backends, or null. */
export const blobsUrl: ValueParser<BlobPlace | null> = (given) => {
  if (given === '') return { value: null };
  const url = URL.parse(given);
  const isPlain = url !== null && !/[?#]/.test(given) && `${url.username}${url.password}${url.port}` === '';
  const backend = isPlain ? BLOB_BACKENDS.find(({ scheme }) => url.protocol === `${scheme}:`) : undefined;
  const value = backend?.parse(url!) ?? null;
  return value === null ? { allowed: BLOBS_URL_EXAMPLES } : { value };
};
