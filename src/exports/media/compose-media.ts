import type { CaptionRecords } from '../../store/captions/caption-records.ts';
import type { Database } from '../../store/database.ts';
import type { AddressRecords } from '../../store/fetches/address-records.ts';
import type { LocalFiles } from '../../store/local-files.ts';
import type { MediaRecords } from '../../store/media-records.ts';
import type { PartialFiles } from '../../store/partial-files.ts';
import type { UnfinishedMedia } from '../../store/unfinished-media.ts';
import type { MediaApi } from '../api/media-api.ts';
import type { Freeing } from '../freeing.ts';
import type { Log } from '../log.ts';
import type { Meter } from '../meter.ts';
import type { Uploads } from '../uploads.ts';
import type { Usage } from '../usage.ts';
import { FetchMedia, type FetchPolicy } from './fetch-media.ts';
import { MediaExpiry, type MediaRetention } from './media-expiry.ts';
import type { MediaFactsKeeper } from './media-facts-keeper.ts';
import type { MediaQuota, MediaQuotaPolicy } from './media-quota.ts';
import { ReceiveMedia } from './receive-media.ts';
import type { RequestFilesPolicy } from './request-files.ts';
import { StoredMedia } from './stored-media.ts';
import { UploadClaims } from './upload-claims.ts';

/** The settings of a deployment. */
export interface MediaPolicy extends MediaRetention, MediaQuotaPolicy, RequestFilesPolicy, FetchPolicy {}

interface MediaPorts {
  readonly database: Database;
  readonly media: MediaRecords;
  readonly captions: CaptionRecords;
  readonly unfinished: UnfinishedMedia;
  readonly quota: MediaQuota;
  readonly partials: PartialFiles;
  readonly fetched: AddressRecords;
  readonly local: Pick<LocalFiles, 'scratch'>;
  /** @throws `disk.full` */
  readonly requireDisk: (bytes: number) => Promise<void>;
  readonly uploads: Uploads;
  readonly usage: Pick<Usage, 'countSent'>;
  readonly facts: MediaFactsKeeper;
  readonly freeing: Pick<Freeing, 'run'>;
  readonly policy: MediaPolicy;
  readonly meter: Meter;
  readonly now: () => number;
  readonly log: Log;
}

/** Gives each use case of media the ports it uses. */
export function composeMedia(ports: MediaPorts): {
  readonly api: MediaApi;
  readonly fetching: FetchMedia;
  readonly expiry: MediaExpiry;
} {
  const claims = new UploadClaims();
  const stored = new StoredMedia(ports);
  const receiving = new ReceiveMedia({ ...ports, claims, describe: (...of) => stored.describe(...of) });
  const fetching = new FetchMedia({ ...ports, stored });
  return {
    fetching,
    api: {
      find: async (tenant, sha256) => (await stored.find(tenant, sha256)) ?? receiving.soFar(tenant, sha256),
      describe: (tenant, sha256, signal) => stored.describe(tenant, sha256, signal),
      open: (tenant, sha256) => stored.open(tenant, sha256),
      keep: (tenant, sha256, signal) => stored.keep(tenant, sha256, signal),
      receive: (announced) => receiving.receive(announced),
      fetch: async (tenant, address, signal) => {
        const { sha256, known } = await fetching.fetchFrom(tenant, { text: address, path: '/url' }, signal);
        const view = await stored.describe(tenant, sha256, signal);
        return view && { view, known };
      },
      remove: async (tenant, sha256) => {
        const wasUnfinished = await receiving.remove(tenant, sha256);
        return (await stored.remove(tenant, sha256)) || wasUnfinished;
      },
    },
    expiry: new MediaExpiry({ ...ports, claims }),
  };
}
