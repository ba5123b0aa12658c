import type { MediaApi } from '../exports/api/media-api.ts';
import type { ProjectsApi } from '../exports/api/projects-api.ts';
import { FeedBatches } from '../exports/batches/feed-batches.ts';
import { KeepBatches } from '../exports/batches/keep-batches.ts';
import { MediaOfRows } from '../exports/batches/media-of-rows.ts';
import { RegisteredWebhooks } from '../exports/deliver/registered-webhooks.ts';
import { SendDestinations } from '../exports/deliver/send-destinations.ts';
import { WebhookDeliveries } from '../exports/deliver/webhook-deliveries.ts';
import { EventLog } from '../exports/event-log.ts';
import { AwaitedOutputs } from '../exports/follow/awaited-outputs.ts';
import { FollowExport } from '../exports/follow/follow-export.ts';
import { ReadEvents } from '../exports/follow/read-events.ts';
import { ReadExport } from '../exports/follow/read-export.ts';
import { FrameChildren, warmUpFrame } from '../exports/frames/frame-children.ts';
import { FramePlaces, ShowFrame } from '../exports/frames/show-frame.ts';
import { Freeing } from '../exports/freeing.ts';
import { Gate } from '../exports/gate.ts';
import { FetchMedia } from '../exports/media/fetch-media.ts';
import { MediaExpiry } from '../exports/media/media-expiry.ts';
import { MediaFactsKeeper } from '../exports/media/media-facts-keeper.ts';
import { MediaQuota } from '../exports/media/media-quota.ts';
import { ReceiveMedia } from '../exports/media/receive-media.ts';
import { RequestFiles } from '../exports/media/request-files.ts';
import { StoredMedia } from '../exports/media/stored-media.ts';
import { UploadClaims } from '../exports/media/upload-claims.ts';
import { PlanStore } from '../exports/plan-store.ts';
import { archiveProject } from '../exports/projects/archive-project.ts';
import { formOfProject } from '../exports/projects/form-of-project.ts';
import { Projects } from '../exports/projects/keep-projects.ts';
import { ProjectLinks } from '../exports/projects/project-links.ts';
import { Housekeeper } from '../exports/retention/housekeeper.ts';
import { Orphans } from '../exports/retention/orphans.ts';
import { Removals } from '../exports/retention/removals.ts';
import { AssembleOutput } from '../exports/run/assemble-output.ts';
import { ChildPool } from '../exports/run/child-pool.ts';
import { EndExport, StopOutput } from '../exports/run/end-export.ts';
import { ExclusiveRuns } from '../exports/run/exclusive-runs.ts';
import { ExportChild } from '../exports/run/export-child.ts';
import { OutputWork } from '../exports/run/output-work.ts';
import { Recovery } from '../exports/run/recovery.ts';
import { RenderDrafts } from '../exports/run/render-drafts.ts';
import { RenderMissingChunks } from '../exports/run/render-missing-chunks.ts';
import { RenderSharedSound } from '../exports/run/render-shared-sound.ts';
import { RenderWorker } from '../exports/run/render-worker.ts';
import { MakeCaptions } from '../exports/speech/make-captions.ts';
import { RequestCaptions } from '../exports/speech/request-captions.ts';
import { RequestPauses } from '../exports/speech/request-pauses.ts';
import { Admission } from '../exports/submit/admission.ts';
import { Drafts } from '../exports/submit/drafts.ts';
import { FetchExports } from '../exports/submit/fetch-exports.ts';
import { MediaCheck } from '../exports/submit/media-check.ts';
import { ReplanExport } from '../exports/submit/replan-export.ts';
import { RequestCheck } from '../exports/submit/request-check.ts';
import { serviceStatus } from '../exports/submit/service-status.ts';
import { SubmitExport } from '../exports/submit/submit-export.ts';
import { Uploads } from '../exports/uploads.ts';
import { Usage } from '../exports/usage.ts';
import { SegmentSources } from '../exports/watch/segment-sources.ts';
import { WatchOutput } from '../exports/watch/watch-output.ts';
import type { ExportsParts, ExportsPorts } from './exports-ports.ts';

/** How many files are searched for pauses at once. Each needs a child process and most of a core. */
const LISTENED_TO_AT_ONCE = 2;

/** Gives each use case the ports it uses. */
export function composeExports(ports: ExportsPorts): ExportsParts {
  const plans = new PlanStore(ports);
  const uploads = new Uploads(ports);
  const work = new OutputWork(ports);
  const usage = new Usage(ports);
  const read = new ReadExport({ ...ports, plans, usage });
  const eventLog = new EventLog(ports);
  const webhooks = new WebhookDeliveries({
    ...ports,
    view: (id) => read.get(null, id),
    batch: (id) => batches.described(id),
  });
  const sending = new SendDestinations({ ...ports, eventLog, open: (id, preset) => read.output(id, preset) });
  const { retentionMs } = ports.policy;
  const ends = new EndExport({ ...ports, eventLog, work, retentionMs });
  const freeing = new Freeing(ports);
  const removals = new Removals({ ...ports, plans, uploads, work, ends, freeing });
  const stopOutput = new StopOutput({ ...ports, ends });
  const orphans = new Orphans({ ...ports, uploads });
  const recovery = new Recovery({ ...ports, plans, work, ends });
  const facts = new MediaFactsKeeper(ports);
  const quota = new MediaQuota(ports);
  const admission = new Admission({ ...ports, quota });
  const requireDisk = (bytes: number) => admission.requireDisk(bytes);
  const media = composeMedia({ ...ports, usage, uploads, facts, quota, freeing, requireDisk });
  const files = new RequestFiles({ ...ports, uploads, fetching: media.fetching });
  const check = new MediaCheck({ facts });
  const { frames } = ports.policy;
  const children = new FrameChildren({ ...ports, policy: frames, warmUp: warmUpFrame(ports.planner) });
  const [places, turns] = [new FramePlaces(frames), new Gate(frames.framesAtOnce)];
  const { frameLimitMs } = frames;
  const showFrame = new ShowFrame({
    ...ports,
    ...{ plans, uploads, files, check, places, turns, children, frameLimitMs },
  });
  const requests = new RequestCheck({ ...ports, files, check, painted: showFrame });
  const replan = new ReplanExport({ ...ports, uploads, plans, work, media: check });
  const submit = new SubmitExport({
    ...ports,
    ...{ admission, quota, plans, uploads, work, files, facts, check },
    painted: showFrame,
  });
  const projects = composeProjects({ ...ports, uploads, quota, media: media.api, freeing });
  const batches = new KeepBatches({
    ...ports,
    quota,
    removals,
    openProject: (...of) => projects.open(...of),
    describe: ports.describeBatch,
    mediaOfRows: new MediaOfRows({ ...ports, facts, fetching: media.fetching }),
  });
  const feeding = new FeedBatches({ ...ports, submit, eventLog, removals });
  const fetching = new FetchExports({ ...ports, submit, ends });
  const requestPauses = new RequestPauses({
    ...ports,
    files,
    fetching: media.fetching,
    turns: new Gate(LISTENED_TO_AT_ONCE),
  });
  const speech = new RequestCaptions({
    ...ports,
    files,
    fetching: media.fetching,
    uploads,
    quota,
    check,
    freeing,
  });
  const makeCaptions = new MakeCaptions({ ...ports, uploads });
  const follow = new FollowExport({ ...ports, plans, work, admission, awaited: new AwaitedOutputs(ports) });
  const streams = new WatchOutput({ ...ports, usage, plans, follow, sources: new SegmentSources(ports) });
  const renderChunks = new RenderMissingChunks(ports);
  const renderSound = new RenderSharedSound(ports);
  const assembleOutput = new AssembleOutput({ ...ports, work, ends });
  const childPorts = { ...ports, plans, uploads };
  const renderChildren = new ChildPool((duration, signal, niceness) =>
    ExportChild.start(childPorts, duration, signal, niceness),
  );
  const drafts = new Drafts({ ...ports, plans, files, check });
  const renderDrafts = new RenderDrafts({ ...ports, plans, renderSound, children: renderChildren });
  const jobs = { renderChunks, renderSound, assembleOutput };
  const exclusive = new ExclusiveRuns();
  return {
    api: {
      admit: (announced) => admission.admit(announced),
      repeated: (request) => submit.repeated(request),
      checkDocuments: (...documents) => requests.checkDocuments(...documents),
      readForm: (tenant, body, plainFields, signal) => ports.planner.form(tenant, { body, plainFields }, signal),
      hashOf: (request, signal) => requests.hashOf(request, signal),
      validate: (request, signal) => requests.validate(request, signal),
      admitFrame: (tenant) => showFrame.admit(tenant),
      frame: (request, signal) => showFrame.show(request, signal),
      thumbnail: (request, signal) => showFrame.thumbnail(request, signal),
      exportThumbnail: (request, signal) => showFrame.exportThumbnail(request, signal),
      pauses: (request, signal) => requestPauses.find(request, signal),
      submit: (submission, signal) => submit.submit(submission, signal),
      get: (tenant, id) => read.get(tenant, id),
      list: (tenant, listing) => read.list(tenant, listing),
      follow: (id, signal) => follow.follow(id, signal),
      waitFor: (id, preset, signal) => follow.waitFor(id, preset, signal),
      openOutput: (id, preset) => read.output(id, preset),
      poster: (id) => read.poster(id),
      chapters: (id) => read.chapters(id),
      captions: (id, format) => read.captions(id, format),
      documents: (tenant, id) => read.documents(tenant, id),
      publishingKit: (tenant, id, signal) => read.publishingKit(tenant, id, signal),
      events: new ReadEvents({
        ...ports,
        webhooks,
        view: (id) => read.get(null, id),
        batch: (tenant, id) => batches.get(tenant, id),
      }),
      webhooks: new RegisteredWebhooks(ports),
      deliveries: (id) => webhooks.deliveries(id),
      redeliver: (id, signal) => webhooks.redeliver(id, signal),
      remove: async (tenant, id) => {
        const removed = await removals.remove(tenant, id);
        quota.forget(tenant);
        return removed;
      },
      stop: (tenant, id, preset) => stopOutput.stop(tenant, id, preset),
      usage: (tenant, from, to) => usage.list(tenant, from, to),
      storage: (tenant) => quota.use(tenant, ports.database),
      status: () => serviceStatus(ports),
      streams,
    },
    media: media.api,
    speech,
    projects,
    batches: {
      readForm: (tenant, body, signal) => ports.planner.batchForm(tenant, { body }, signal),
      create: (submission, signal) => batches.create(submission, signal),
      list: (tenant, listing) => batches.list(tenant, listing),
      get: (tenant, id) => batches.get(tenant, id),
      ended: (tenant, id, signal) => batches.ended(tenant, id, signal),
      rows: (tenant, id, listing) => batches.rows(tenant, id, listing),
      retry: (tenant, id) => batches.retry(tenant, id),
      cancel: (tenant, id) => batches.cancel(tenant, id),
    },
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
    feeding,
    fetching,
    captions: makeCaptions,
    sending,
    usage,
    frames: children,
    worker: () =>
      new RenderWorker({
        ...ports,
        ...jobs,
        children: renderChildren,
        plans,
        replan,
        ends,
        exclusive,
        drafts: renderDrafts,
      }),
  };
}

/** What the use cases of media share with others. */
interface MediaShare {
  readonly usage: Usage;
  readonly uploads: Uploads;
  readonly facts: MediaFactsKeeper;
  readonly quota: MediaQuota;
  readonly freeing: Freeing;
  /** @throws `disk.full` */
  readonly requireDisk: (bytes: number) => Promise<void>;
}

/** Gives each use case of media the ports it uses. */
function composeMedia(ports: Omit<ExportsPorts, 'usage'> & MediaShare): {
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
      list: (tenant, limit, after) => stored.list(tenant, limit, after),
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

/** Gives each use case of projects the ports it uses. */
function composeProjects(
  ports: Omit<ExportsPorts, 'media'> & Pick<MediaShare, 'uploads' | 'quota' | 'freeing'> & { readonly media: MediaApi },
): ProjectsApi {
  const projects = new Projects(ports);
  const links = new ProjectLinks({ ...ports, records: ports.projects, projects });
  return {
    save: (...sent) => projects.save(...sent),
    open: (tenant, id) => projects.open(tenant, id),
    list: (tenant, limit, after) => projects.list(tenant, limit, after),
    revisions: (tenant, id) => projects.revisions(tenant, id),
    archive: (tenant, id) => archiveProject(tenant, id, { ...ports, records: ports.projects, projects }),
    remove: (tenant, id, condition) => projects.remove(tenant, id, condition),
    setThumbnail: (tenant, id, picture, signal) => projects.setThumbnail(tenant, id, picture, signal),
    thumbnail: (tenant, id) => projects.thumbnail(tenant, id),
    share: (tenant, id) => links.share(tenant, id),
    links: (tenant, id) => links.list(tenant, id),
    revoke: (tenant, id, link) => links.revoke(tenant, id, link),
    form: (tenant, sent, signal) => formOfProject(tenant, sent, { ...ports, projects }, signal),
    openShared: (secret) => links.open(secret),
  };
}
