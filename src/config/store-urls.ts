import { fileURLToPath } from 'node:url';
import type { ValueParser } from './value-parsers.ts';

/** Where files are kept: in a folder, or in a bucket under a prefix that is empty or ends with a slash. */
export type BlobsPlace =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 's3'; readonly bucket: string; readonly prefix: string };

/** The address of a PostgreSQL database, or none. */
export const databaseUrl: ValueParser<string | null> = (given) => {
  if (given === '') return { value: null };
  const url = URL.parse(given);
  const isDatabase = url !== null && /^postgres(ql)?:$/.test(url.protocol) && url.pathname.length > 1;
  return isDatabase ? { value: given } : { allowed: 'an address such as postgres://user:password@host:5432/database' };
};

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^(?:[A-Za-z0-9_.-]+\/)*$/;

/** `s3://bucket/prefix`, `file:///folder`, or none. */
export const blobsUrl: ValueParser<BlobsPlace | null> = (given) => {
  if (given === '') return { value: null };
  const url = URL.parse(given);
  const allowed = { allowed: 's3://bucket, s3://bucket/prefix or file:///folder' };
  if (url === null || /[?#]/.test(given) || `${url.username}${url.password}${url.port}` !== '') return allowed;
  if (url.protocol === 'file:') {
    if (url.host !== '' || url.pathname === '/') return allowed;
    return { value: { kind: 'folder', path: fileURLToPath(url) } };
  }
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '');
  const withSlash = prefix === '' ? '' : `${prefix}/`;
  if (url.protocol !== 's3:' || !BUCKET.test(url.host) || !PREFIX.test(withSlash)) return allowed;
  return { value: { kind: 's3', bucket: url.host, prefix: withSlash } };
};
