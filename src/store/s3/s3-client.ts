import { S3Client } from '@aws-sdk/client-s3';

/** The location of a bucket, and how to connect to it. */
export interface S3Place {
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
  /** null for Amazon's own. */
  readonly endpoint: string | null;
  /** null for the SDK's default. */
  readonly region: string | null;
  /** Whether the bucket's name is part of the path instead of the host. */
  readonly pathStyle: boolean;
  /** If absent, the SDK finds them (environment, files, the machine's role). */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** A connection without traffic for this long is closed. */
  readonly idleMs?: number;
  readonly connectMs?: number;
}

/** With pauses that double from a tenth of a second, so that a short overload does no harm. */
const TRIES = 5;
const CONNECTIONS = 64;

/** A client that retries calls if that can help. */
export function s3Client({ endpoint, region, pathStyle, credentials, idleMs, connectMs }: S3Place): S3Client {
  return new S3Client({
    ...(endpoint === null ? {} : { endpoint }),
    // Every server requires one in the signature, and servers other than Amazon's accept any.
    ...(region === null ? (endpoint === null ? {} : { region: 'us-east-1' }) : { region }),
    ...(credentials === undefined ? {} : { credentials }),
    forcePathStyle: pathStyle,
    // Not all servers support Amazon's newer checksums; ours is stored with the object.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: TRIES,
    retryMode: 'standard',
    requestHandler: {
      connectionTimeout: connectMs ?? 5_000,
      socketTimeout: idleMs ?? 30_000,
      httpAgent: { keepAlive: true, maxSockets: CONNECTIONS },
      httpsAgent: { keepAlive: true, maxSockets: CONNECTIONS },
    },
  });
}
