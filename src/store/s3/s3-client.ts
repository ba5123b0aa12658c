import { S3Client } from '@aws-sdk/client-s3';

/** Where a bucket is, and how to come to it. */
export interface S3Place {
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
  /** null: Amazon's own. */
  readonly endpoint: string | null;
  /** null: as the SDK finds it. */
  readonly region: string | null;
  /** Whether the bucket's name is part of the path and not of the host. */
  readonly pathStyle: boolean;
  /** Without them: as the SDK finds them (environment, files, the machine's role). */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** A connection on which nothing has moved for so long is given up. */
  readonly idleMs?: number;
  readonly connectMs?: number;
}

/** With pauses that double from a tenth of a second: a service that is short of breath for a moment costs nothing. */
const TRIES = 5;
const CONNECTIONS = 64;

/** A client whose calls are tried again where that can help. */
export function s3Client({ endpoint, region, pathStyle, credentials, idleMs, connectMs }: S3Place): S3Client {
  return new S3Client({
    ...(endpoint === null ? {} : { endpoint }),
    // Every server wants one in the signature, and those that are not Amazon's take any.
    ...(region === null ? (endpoint === null ? {} : { region: 'us-east-1' }) : { region }),
    ...(credentials === undefined ? {} : { credentials }),
    forcePathStyle: pathStyle,
    // Not all servers know Amazon's newer checksums; ours travels with the object.
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
