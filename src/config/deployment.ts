import { resolve } from 'node:path';
import { ExportError, type Issue } from '../errors.ts';
import { BLOB_BACKENDS, type BlobPlace, backendOf } from './blob-backends.ts';
import type { Config } from './config.ts';

/** The role of a process: serves and renders, only serves, or only renders. */
export type Role = 'serve' | 'api' | 'work';

/** The stores of a process. */
export interface Deployment {
  readonly role: Role;
  /** The address of PostgreSQL; null for SQLite in the data folder, for one process. */
  readonly databaseUrl: string | null;
  /** The store of shared files; null for the data folder. */
  readonly blobs: BlobPlace | null;
  /** Local to this machine. */
  readonly dataDir: string;
}

/** The settings that decide a deployment. */
type DeploymentSettings = Pick<Config, 'dataDir' | 'databaseUrl' | 'blobsUrl' | 'downloads' | 's3Endpoint'>;

/**
 * Derives the stores from the settings.
 *
 * @throws `config.invalid` with every conflict between them, before anything is opened.
 */
export function deploymentOf(settings: DeploymentSettings, role: Role): Deployment {
  const { databaseUrl, blobsUrl, downloads, s3Endpoint } = settings;
  const dataDir = resolve(settings.dataDir);
  const issues: Issue[] = [];
  const refuse = (path: string, message: string) => issues.push({ path, code: 'config.invalid', message });
  if (databaseUrl === null && role !== 'serve') {
    const command = role === 'work' ? 'tiercut work' : 'tiercut serve --no-render';
    refuse(
      'TIERCUT_DATABASE_URL',
      `"${command}" runs one node of several and needs PostgreSQL: set TIERCUT_DATABASE_URL. With SQLite, use "tiercut serve".`,
    );
  }
  if ((databaseUrl !== null || role !== 'serve') && blobsUrl === null) {
    refuse(
      'TIERCUT_BLOBS_URL',
      'With PostgreSQL there may be other nodes, and they would not find files in the data folder of this one: set TIERCUT_BLOBS_URL to s3://bucket/prefix, or to file:///folder where all nodes share that folder.',
    );
  }
  const isOwn = blobsUrl?.scheme === 'file' && resolve(blobsUrl.path) === dataDir;
  if (databaseUrl !== null && isOwn) {
    refuse(
      'TIERCUT_BLOBS_URL',
      'The shared folder must not be TIERCUT_DATA_DIR, which every node needs for itself: take another folder for one of them.',
    );
  }
  if (downloads === 'redirect' && (blobsUrl === null || !backendOf(blobsUrl).redirects)) {
    const able = BLOB_BACKENDS.filter(({ redirects }) => redirects).map(({ example }) => example);
    refuse(
      'TIERCUT_DOWNLOADS',
      `Only ${able.join(' and ')} has addresses to redirect to: set TIERCUT_BLOBS_URL to it, or leave TIERCUT_DOWNLOADS at "proxy".`,
    );
  }
  if (s3Endpoint !== null && blobsUrl?.scheme !== 's3') {
    refuse(
      'TIERCUT_S3_ENDPOINT',
      'There is an S3 server, but TIERCUT_BLOBS_URL names no bucket: set it to s3://bucket/prefix.',
    );
  }
  if (issues.length > 0) {
    const message = issues.map((issue) => issue.message).join('\n');
    throw new ExportError('invalid', 'config.invalid', message, { issues });
  }
  return { role, databaseUrl, blobs: isOwn ? null : blobsUrl, dataDir };
}
