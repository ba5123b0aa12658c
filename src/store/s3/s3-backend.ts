import { ExportError } from '../../errors.ts';
import type { BlobBackend } from '../blob-store.ts';
import { causeOf } from '../store-error.ts';

/** Objects of a bucket, under a prefix that is empty or ends with a slash. */
export interface S3Bucket {
  readonly scheme: 's3';
  readonly bucket: string;
  readonly prefix: string;
}

/** The S3 settings of the configuration. */
export interface S3Settings {
  readonly s3Endpoint: string | null;
  readonly s3Region: string | null;
  readonly s3PathStyle: boolean;
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^(?:[A-Za-z0-9_.-]+\/)*$/;

/** A bucket, at Amazon or elsewhere. */
export const S3_BACKEND: BlobBackend<S3Bucket, S3Settings> = {
  scheme: 's3',
  example: 's3://bucket/prefix',
  redirects: true,
  parse: ({ host: bucket, pathname }) => {
    const path = pathname.replace(/^\/+|\/+$/g, '');
    const prefix = path === '' ? '' : `${path}/`;
    return BUCKET.test(bucket) && PREFIX.test(prefix) ? { scheme: 's3', bucket, prefix } : null;
  },
  describe: ({ bucket, prefix }) => `s3://${bucket}/${prefix}`,
  open: async ({ bucket, prefix }, { s3Endpoint: endpoint, s3Region: region, s3PathStyle: pathStyle }, node) => {
    // Loaded only for S3, because the SDK takes time and memory.
    const { S3BlobStore } = await import('./s3-blob-store.ts');
    const blobs = new S3BlobStore({ bucket, prefix, endpoint, region, pathStyle, ...node });
    return { blobs, addresses: blobs };
  },
  explainFault: (error, { bucket }, { s3Endpoint }) => {
    const cause = causeOf(error);
    const where = s3Endpoint ?? 'Amazon S3';
    switch (cause.name) {
      case 'NoSuchBucket':
        return `There is no bucket "${bucket}" on ${where}. Create it, or set TIERCUT_BLOBS_URL.`;
      case 'InvalidAccessKeyId':
        return `${where} does not know the access key. See AWS_ACCESS_KEY_ID, or the source of the credentials.`;
      case 'SignatureDoesNotMatch':
        return `${where} does not accept the secret of the access key (AWS_SECRET_ACCESS_KEY), or TIERCUT_S3_REGION is not its region.`;
      case 'AccessDenied':
        return `The credentials may not write, read and remove objects of the bucket "${bucket}" on ${where}.`;
      case 'RequestTimeTooSkewed':
        return `The clock of this machine is too far from that of ${where}. Set it, for example by NTP.`;
      case 'PermanentRedirect':
      case 'AuthorizationHeaderMalformed':
        return `The bucket "${bucket}" is in another region: set TIERCUT_S3_REGION.`;
      case 'CredentialsProviderError':
        return 'There are no credentials for S3: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the machine a role.';
    }
    if (!(error instanceof ExportError)) return null;
    if (error.code === 'store.unreachable') return `The S3 server cannot be reached at ${where} (${cause.message}).`;
    if (error.code === 'store.corrupt_blob')
      return `${where} responds, but does not store objects: is it an S3 server?`;
    return null;
  },
};
