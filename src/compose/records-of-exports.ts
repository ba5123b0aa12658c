import { CaptionRecords } from '../store/captions/caption-records.ts';
import { ContentRecords } from '../store/content-records.ts';
import { DeliveryRecords } from '../store/delivery-records.ts';
import { DestinationRecords } from '../store/destinations/destination-records.ts';
import { DraftRecords } from '../store/drafts/draft-records.ts';
import { ExportRecords } from '../store/export-records.ts';
import { AddressRecords } from '../store/fetches/address-records.ts';
import { FetchRecords } from '../store/fetches/fetch-records.ts';
import { MediaRecords } from '../store/media-records.ts';
import { OutputRecords } from '../store/output-records.ts';
import { LinkRecords } from '../store/projects/link-records.ts';
import { ProjectRecords } from '../store/projects/project-records.ts';
import { UnfinishedMedia } from '../store/unfinished-media.ts';
import { UsageRecords } from '../store/usage/usage-records.ts';

/** The same SQL for both databases. */
export function recordsOfExports() {
  return {
    records: new ExportRecords(),
    outputs: new OutputRecords(),
    deliveries: new DeliveryRecords(),
    media: new MediaRecords(),
    contents: new ContentRecords(),
    unfinished: new UnfinishedMedia(),
    projects: new ProjectRecords(),
    drafts: new DraftRecords(),
    links: new LinkRecords(),
    fetched: new AddressRecords(),
    fetches: new FetchRecords(),
    captions: new CaptionRecords(),
    destinations: new DestinationRecords(),
    usage: new UsageRecords(),
  };
}
