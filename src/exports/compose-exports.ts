import { NICENESS } from '../platform/process-priority.ts';
import type { RenderHost } from '../sandbox/render-host.ts';
import type { InstalledModels } from '../speech/models/installed-models.ts';
import type { BlobAddresses, BlobStore } from '../store/blob-store.ts';
import type { CaptionRecords } from '../store/captions/caption-records.ts';
import type { ContentRecords } from '../store/content-records.ts';
import type { Database } from '../store/database.ts';
import type { DeliveryRecords } from '../store/delivery-records.ts';
import type { DestinationRecords } from '../store/destinations/destination-records.ts';
import type { DraftRecords } from '../store/drafts/draft-records.ts';
import type { ExportRecords } from '../store/export-records.ts';
import type { AddressRecords } from '../store/fetches/address-records.ts';
import type { FetchRecords } from '../store/fetches/fetch-records.ts';
import type { JobQueue } from '../store/job-queue.ts';
import type { LocalFiles } from '../store/local-files.ts';
import type { MediaRecords } from '../store/media-records.ts';
import type { Bell } from '../store/nodes/bell.ts';
import type { Changes } from '../store/nodes/changes.ts';
import type { Progress } from '../store/nodes/progress.ts';
import type { RoomReserve } from '../store/nodes/room-reserve.ts';
import type { OutputRecords } from '../store/output-records.ts';
import type { PartialFiles } from '../store/partial-files.ts';
import type { PartRecords } from '../store/parts/part-records.ts';
import type { TenantChunks } from '../store/parts/tenant-chunks.ts';
import type { LinkRecords } from '../store/projects/link-records.ts';
import type { ProjectRecords } from '../store/projects/project-records.ts';
import type { UnfinishedMedia } from '../store/unfinished-media.ts';
import type { UsageRecords } from '../store/usage/usage-records.ts';
import type { CaptionsApi } from './api/captions-api.ts';
import type { DraftsApi } from './api/drafts-api.ts';
import type { ExportsApi, ServiceStatus } from './api/exports-api.ts';
import type { MediaApi } from './api/media-api.ts';
import type { ProjectsApi } from './api/projects-api.ts';
import { MakeCaptions } from './captions/make-captions.ts';
import { type CaptionsPolicy, RequestCaptions } from './captions/request-captions.ts';
import { type DestinationsPolicy, SendDestinations } from './destinations/send-destinations.ts';
import { Drafts, type DraftsPolicy } from './drafts/drafts.ts';
import { RenderDrafts } from './drafts/render-drafts.ts';
import { FetchExports } from './fetch/fetch-exports.ts';
import { AwaitedOutputs } from './follow/awaited-outputs.ts';
import { FollowExport } from './follow/follow-export.ts';
import { ReadExport } from './follow/read-export.ts';
import { FrameChildren, type FrameChildrenPolicy } from './frames/frame-children.ts';
import { FramePlaces, type FramePlacesPolicy } from './frames/frame-places.ts';
import { ShowFrame } from './frames/show-frame.ts';
import { warmUpFrame } from './frames/warm-up-frame.ts';
import { Freeing } from './freeing.ts';
import { Gate } from './gate.ts';
import type { Log } from './log.ts';
import { composeMedia, type MediaPolicy } from './media/compose-media.ts';
import type { MediaExpiry } from './media/media-expiry.ts';
import { MediaFactsKeeper } from './media/media-facts-keeper.ts';
import { MediaQuota } from './media/media-quota.ts';
import { RequestFiles } from './media/request-files.ts';
import type { Meter } from './meter.ts';
import { FindPauses } from './pauses/find-pauses.ts';
import { PlanStore } from './plan-store.ts';
import { composeProjects } from './projects/compose-projects.ts';
import type { ProjectsPolicy } from './projects/projects.ts';
import { Housekeeper } from './retention/housekeeper.ts';
import { Orphans } from './retention/orphans.ts';
import { Removals } from './retention/removals.ts';
import { AssembleOutput } from './run/assemble-output.ts';
import { EndExport } from './run/end-export.ts';
import { ExclusiveRuns } from './run/exclusive-runs.ts';
import { OutputWork } from './run/output-work.ts';
import { Recovery } from './run/recovery.ts';
import { RenderChunks } from './run/render-chunks.ts';
import { type RenderedVideo, RenderSlot } from './run/render-slot.ts';
import { RenderSound } from './run/render-sound.ts';
import { RenderWorker } from './run/render-worker.ts';
import type { RunningExports } from './run/running-exports.ts';
import { StartedChild } from './run/started-child.ts';
import { StopOutput } from './run/stop-output.ts';
import type { WorkerSlotsPorts } from './run/worker-slots.ts';
import { serviceStatus } from './service-status.ts';
import { Admission, type AdmissionPolicy } from './submit/admission.ts';
import { MediaCheck } from './submit/media-check.ts';
import type { Planner } from './submit/planner.ts';
import type { RequestRules } from './submit/read-request.ts';
import { ReplanExport } from './submit/replan-export.ts';
import { RequestCheck } from './submit/request-check.ts';
import { SubmitExport, type SubmitPolicy } from './submit/submit-export.ts';
import { Uploads } from './uploads.ts';
import { Usage } from './usage.ts';
import { SegmentSources } from './watch/segment-sources.ts';
import { WatchOutput } from './watch/watch-output.ts';
import { type DescribeExport, WebhookDeliveries, type WebhookPolicy } from './webhooks/webhook-deliveries.ts';

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

/** How single frames are shown. */
export interface FramesPolicy extends FrameChildrenPolicy, FramePlacesPolicy {
  readonly framesAtOnce: number;
  readonly frameLimitMs: number;
}

/** How many files are searched for pauses at once. Each needs a child process and most of a core. */
const LISTENED_TO_AT_ONCE = 2;

/** All ports of the use cases. Each use case receives only the ports that it needs. */
export interface ExportsPorts {
  readonly database: Database;
  readonly records: ExportRecords;
  readonly outputs: OutputRecords;
  readonly deliveries: DeliveryRecords;
  readonly media: MediaRecords;
  readonly contents: ContentRecords;
  readonly parts: PartRecords;
  readonly unfinished: UnfinishedMedia;
  readonly projects: ProjectRecords;
  readonly drafts: DraftRecords;
  readonly links: LinkRecords;
  readonly fetched: AddressRecords;
  readonly fetches: FetchRecords;
  readonly captions: CaptionRecords;
  readonly models: InstalledModels;
  readonly destinations: DestinationRecords;
  readonly usage: UsageRecords;
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
  readonly webhookBell: Bell;
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
  readonly checks: () => Promise<ServiceStatus['checks']>;
  /** How long to wait for requests for other outputs before one is treated as the only request; a default if absent. */
  readonly letOthersAsk?: () => Promise<void>;
}

/** The use cases, and the loops that have to run beside them. */
export interface ExportsParts {
  readonly api: ExportsApi;
  readonly media: MediaApi;
  readonly projects: ProjectsApi;
  readonly drafts: DraftsApi;
  readonly speech: CaptionsApi;
  readonly housekeeper: Housekeeper;
  readonly mediaExpiry: MediaExpiry;
  readonly removals: Removals;
  readonly orphans: Orphans;
  readonly webhooks: WebhookDeliveries;
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

/** Gives each use case the ports it uses. */
export function composeExports(ports: ExportsPorts): ExportsParts {
  const plans = new PlanStore(ports);
  const uploads = new Uploads(ports);
  const work = new OutputWork(ports);
  const usage = new Usage(ports);
  const read = new ReadExport({ ...ports, plans, usage });
  const webhooks = new WebhookDeliveries({ ...ports, view: (id) => read.get(null, id) });
  const sending = new SendDestinations({ ...ports, open: (id, preset) => read.output(id, preset) });
  const { retentionMs } = ports.policy;
  const due = { onWebhookDue: () => ports.webhookBell.ring(), onDestinationDue: () => sending.wake() };
  const ends = new EndExport({ ...ports, work, retentionMs, ...due });
  const freeing = new Freeing(ports);
  const removals = new Removals({ ...ports, plans, uploads, work, ends, freeing });
  const stopOutput = new StopOutput({ ...ports, ends });
  const orphans = new Orphans({ ...ports, uploads });
  const recovery = new Recovery({ ...ports, plans, work, ends });
  const facts = new MediaFactsKeeper(ports);
  const admission = new Admission(ports);
  const requireDisk = (bytes: number) => admission.requireDisk(bytes);
  const quota = new MediaQuota(ports);
  const media = composeMedia({ ...ports, usage, uploads, facts, quota, freeing, requireDisk });
  const files = new RequestFiles({ ...ports, uploads, fetching: media.fetching });
  const check = new MediaCheck({ facts });
  const requests = new RequestCheck({ ...ports, files, check });
  const replan = new ReplanExport({ ...ports, uploads, plans, work, media: check });
  const onFetchDue = () => fetching.wake();
  const submit = new SubmitExport({ ...ports, admission, plans, uploads, work, files, facts, check, onFetchDue });
  const fetching = new FetchExports({ ...ports, submit, ends });
  const { frames } = ports.policy;
  const children = new FrameChildren({ ...ports, policy: frames, warmUp: warmUpFrame(ports.planner) });
  const [places, turns] = [new FramePlaces(frames), new Gate(frames.framesAtOnce)];
  const { frameLimitMs } = frames;
  const showFrame = new ShowFrame({ ...ports, files, check, places, turns, children, frameLimitMs });
  const findPauses = new FindPauses({
    ...ports,
    files,
    fetching: media.fetching,
    turns: new Gate(LISTENED_TO_AT_ONCE),
  });
  const onDue = () => makeCaptions.wake();
  const speech = new RequestCaptions({
    ...ports,
    files,
    fetching: media.fetching,
    uploads,
    quota,
    check,
    freeing,
    onDue,
  });
  const makeCaptions = new MakeCaptions({ ...ports, uploads });
  const follow = new FollowExport({ ...ports, plans, work, admission, awaited: new AwaitedOutputs(ports) });
  const streams = new WatchOutput({ ...ports, usage, plans, follow, sources: new SegmentSources(ports) });
  const renderChunks = new RenderChunks(ports);
  const renderSound = new RenderSound(ports);
  const assembleOutput = new AssembleOutput({ ...ports, work, ends });
  const slotPorts = { ...ports, plans, uploads };
  const slots: WorkerSlotsPorts = {
    openSlot: (video, spare, signal) => RenderSlot.open(video, slotPorts, signal, { spare }),
    startChild: (duration, signal) => StartedChild.start(ports, duration, signal),
  };
  const openDraftSlot = (video: RenderedVideo, signal: AbortSignal) =>
    RenderSlot.open(video, slotPorts, signal, { niceness: NICENESS.draft });
  const drafts = new Drafts({ ...ports, plans, files, check });
  const renderDrafts = new RenderDrafts({ ...ports, plans, renderSound, openSlot: openDraftSlot });
  const jobs = { renderChunks, renderSound, assembleOutput };
  const exclusive = new ExclusiveRuns();
  return {
    api: {
      admit: (announced) => admission.admit(announced),
      repeated: (request) => submit.repeated(request),
      checkDocuments: (...documents) => requests.checkDocuments(...documents),
      validate: (request, signal) => requests.validate(request, signal),
      admitFrame: (tenant) => showFrame.admit(tenant),
      frame: (request, signal) => showFrame.show(request, signal),
      pauses: (request, signal) => findPauses.find(request, signal),
      submit: (submission, signal) => submit.submit(submission, signal),
      get: (tenant, id) => read.get(tenant, id),
      list: (tenant, listing) => read.list(tenant, listing),
      follow: (id, signal) => follow.follow(id, signal),
      waitFor: (id, preset, signal) => follow.waitFor(id, preset, signal),
      openOutput: (id, preset) => read.output(id, preset),
      poster: (id) => read.poster(id),
      chapters: (id) => read.chapters(id),
      captions: (id, format) => read.captions(id, format),
      deliveries: (id) => webhooks.deliveries(id),
      redeliver: (id, signal) => webhooks.redeliver(id, signal),
      remove: (tenant, id) => removals.remove(tenant, id),
      stop: (tenant, id, preset) => stopOutput.stop(tenant, id, preset),
      usage: (tenant, from, to) => usage.list(tenant, from, to),
      status: () => serviceStatus(ports),
      streams,
    },
    media: media.api,
    speech,
    projects: composeProjects({ ...ports, uploads, quota, media: media.api, freeing }),
    drafts,
    mediaExpiry: media.expiry,
    housekeeper: new Housekeeper({
      ...ports,
      drafts,
      usage,
      recovery,
      removals,
      orphans,
      mediaExpiry: media.expiry,
      freeing,
    }),
    removals,
    orphans,
    webhooks,
    fetching,
    captions: makeCaptions,
    sending,
    usage,
    frames: children,
    worker: () =>
      new RenderWorker({ ...ports, ...jobs, ...slots, plans, replan, ends, exclusive, drafts: renderDrafts }),
  };
}
