import type { BatchesApi } from '../exports/api/batches-api.ts';
import type { ExportsApi, ServiceStatus } from '../exports/api/exports-api.ts';
import type { MediaApi } from '../exports/api/media-api.ts';
import type { Meter } from '../exports/api/meter.ts';
import type { DraftsApi, ProjectsApi } from '../exports/api/projects-api.ts';
import type { CaptionsApi } from '../exports/api/speech-api.ts';
import type { FeedBatches } from '../exports/batches/feed-batches.ts';
import type { DescribeBatch } from '../exports/batches/keep-batches.ts';
import type { DestinationsPolicy, SendDestinations } from '../exports/deliver/send-destinations.ts';
import type { DescribeExport, WebhookDeliveries, WebhookPolicy } from '../exports/deliver/webhook-deliveries.ts';
import type { FrameChildrenPolicy } from '../exports/frames/frame-children.ts';
import type { FramePlacesPolicy } from '../exports/frames/show-frame.ts';
import type { Gate } from '../exports/gate.ts';
import type { Log } from '../exports/log.ts';
import type { FetchPolicy } from '../exports/media/fetch-media.ts';
import type { MediaExpiry, MediaRetention } from '../exports/media/media-expiry.ts';
import type { MediaQuotaPolicy } from '../exports/media/media-quota.ts';
import type { RequestFilesPolicy } from '../exports/media/request-files.ts';
import type { ProjectsPolicy } from '../exports/projects/keep-projects.ts';
import type { Housekeeper } from '../exports/retention/housekeeper.ts';
import type { Orphans } from '../exports/retention/orphans.ts';
import type { Removals } from '../exports/retention/removals.ts';
import type { RenderWorker } from '../exports/run/render-worker.ts';
import type { RunningExports } from '../exports/run/running-exports.ts';
import type { InstallModels } from '../exports/speech/install-models.ts';
import type { MakeCaptions } from '../exports/speech/make-captions.ts';
import type { CaptionsPolicy } from '../exports/speech/request-captions.ts';
import type { AdmissionPolicy } from '../exports/submit/admission.ts';
import type { DraftsPolicy } from '../exports/submit/drafts.ts';
import type { FetchExports } from '../exports/submit/fetch-exports.ts';
import type { Planner } from '../exports/submit/planner.ts';
import type { RequestRules } from '../exports/submit/read-request.ts';
import type { SubmitPolicy } from '../exports/submit/submit-export.ts';
import type { RenderHost } from '../sandbox/render-host.ts';
import type { InstalledModels } from '../speech/models/installed-models.ts';
import type { BlobAddresses, BlobStore } from '../store/blob-store.ts';
import type { ChunkRecords } from '../store/chunks/chunk-records.ts';
import type { TenantChunks } from '../store/chunks/tenant-chunks.ts';
import type { Database } from '../store/database.ts';
import type { JobQueue } from '../store/job-queue.ts';
import type { LocalFiles } from '../store/local-files.ts';
import type { Bell, Changes, Progress, RoomReserve } from '../store/nodes/node-store.ts';
import type { PartialFiles } from '../store/partial-files.ts';
import type { BatchRecords } from '../store/records/batch-records.ts';
import type { CaptionRecords } from '../store/records/caption-records.ts';
import type { ContentRecords } from '../store/records/content-records.ts';
import type { DeliveryRecords } from '../store/records/delivery-records.ts';
import type { DestinationRecords } from '../store/records/destination-records.ts';
import type { DraftRecords } from '../store/records/draft-records.ts';
import type { EventRecords } from '../store/records/event-records.ts';
import type { ExportRecords } from '../store/records/export-records.ts';
import type { AddressRecords, FetchRecords } from '../store/records/fetch-records.ts';
import type { MediaRecords } from '../store/records/media-records.ts';
import type { OutputRecords } from '../store/records/output-records.ts';
import type { LinkRecords, ProjectRecords } from '../store/records/project-records.ts';
import type { StorageRecords } from '../store/records/storage-records.ts';
import type { UnfinishedMedia } from '../store/records/unfinished-media.ts';
import type { UsageRecords } from '../store/records/usage-records.ts';
import type { WebhookRecords } from '../store/records/webhook-records.ts';

/** The settings of a deployment. */
export interface ExportsPolicy
  extends SubmitPolicy,
    AdmissionPolicy,
    MediaPolicy,
    ProjectsPolicy,
    DraftsPolicy,
    CaptionsPolicy,
    WebhookPolicy,
    DestinationsPolicy {
  readonly retentionMs: number;
  readonly frames: FramesPolicy;
}

/** How files of requests and of `/media` are received, fetched and kept. */
interface MediaPolicy extends MediaRetention, MediaQuotaPolicy, RequestFilesPolicy, FetchPolicy {}

/** How single frames are shown. */
export interface FramesPolicy extends FrameChildrenPolicy, FramePlacesPolicy {
  readonly framesAtOnce: number;
  readonly frameLimitMs: number;
}

/** All ports of the use cases. Each use case receives only the ports that it needs. */
export interface ExportsPorts {
  readonly database: Database;
  readonly records: ExportRecords;
  readonly outputs: OutputRecords;
  readonly events: EventRecords;
  readonly hooks: WebhookRecords;
  readonly deliveries: DeliveryRecords;
  readonly media: MediaRecords;
  readonly contents: ContentRecords;
  readonly chunkRecords: ChunkRecords;
  readonly unfinished: UnfinishedMedia;
  readonly projects: ProjectRecords;
  readonly batches: BatchRecords;
  readonly drafts: DraftRecords;
  readonly links: LinkRecords;
  readonly fetched: AddressRecords;
  readonly fetches: FetchRecords;
  readonly captions: CaptionRecords;
  readonly models: InstalledModels;
  readonly installs: InstallModels;
  readonly destinations: DestinationRecords;
  readonly usage: UsageRecords;
  readonly storage: StorageRecords;
  readonly partials: PartialFiles;
  readonly jobs: JobQueue;
  /** The renders in progress; the queue cancels the ones that are no longer wanted. */
  readonly running: RunningExports;
  readonly blobs: BlobStore;
  readonly local: LocalFiles;
  /** Presigned addresses of finished videos; null if the store has none. */
  readonly addresses: BlobAddresses | null;
  /** Whether no other process uses the same records and files. */
  readonly alone: boolean;
  /** Space that deletes can use when the disk of the records is full. */
  readonly reserve: RoomReserve | null;
  readonly chunks: TenantChunks;
  readonly host: RenderHost;
  readonly changes: Changes;
  /** Wakes the sender of webhooks, in any process, when an export has ended. */
  /** Rings, in all processes, when a draft has come, changed or gone. */
  readonly draftBell: Bell;
  readonly progress: Progress;
  readonly probing: Gate;
  readonly rules: RequestRules;
  readonly planner: Planner;
  /** The memory budget for outputs of an export that are rendered together. */
  readonly presetsMemoryBytes: number;
  readonly policy: ExportsPolicy;
  readonly now: () => number;
  readonly meter: Meter;
  readonly log: Log;
  /** Builds the JSON of an export for webhooks. */
  readonly describe: DescribeExport;
  /** Builds the JSON of a batch for webhooks. */
  readonly describeBatch: DescribeBatch;
  readonly checks: () => Promise<ServiceStatus['checks']>;
  /** How long to wait for requests for other outputs before one is treated as the only request; a default if absent. */
  readonly groupingDelay?: () => Promise<void>;
}

/** The use cases, and the loops that have to run beside them. */
export interface ExportsParts {
  readonly api: ExportsApi;
  readonly media: MediaApi;
  readonly projects: ProjectsApi;
  readonly batches: BatchesApi;
  readonly drafts: DraftsApi;
  readonly speech: CaptionsApi;
  readonly housekeeper: Housekeeper;
  readonly mediaExpiry: MediaExpiry;
  readonly removals: Removals;
  readonly orphans: Orphans;
  readonly webhooks: WebhookDeliveries;
  /** Makes the exports of batches. Runs on the leader. */
  readonly feeding: FeedBatches;
  /** Fetches the files of accepted exports. Runs on API nodes. */
  readonly fetching: FetchExports;
  /** Makes captions. Runs on API nodes. */
  readonly captions: MakeCaptions;
  /** Sends finished videos to their destinations. Runs on API nodes. */
  readonly sending: SendDestinations;
  /** Writes the pending usage counts; dispose it after the last response. */
  readonly usage: AsyncDisposable;
  /** The children that render single frames; dispose them with the service. */
  readonly frames: AsyncDisposable;
  /** Creates a worker; it starts with `run`. */
  readonly worker: () => RenderWorker;
}
