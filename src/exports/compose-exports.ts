import { MakeCaptions } from './captions/make-captions.ts';
import { RequestCaptions } from './captions/request-captions.ts';
import { SendDestinations } from './destinations/send-destinations.ts';
import { Drafts } from './drafts/drafts.ts';
import { RenderDrafts } from './drafts/render-drafts.ts';
import type { ExportsParts, ExportsPorts } from './exports-ports.ts';
import { FetchExports } from './fetch/fetch-exports.ts';
import { AwaitedOutputs } from './follow/awaited-outputs.ts';
import { FollowExport } from './follow/follow-export.ts';
import { ReadExport } from './follow/read-export.ts';
import { FrameChildren } from './frames/frame-children.ts';
import { FramePlaces } from './frames/frame-places.ts';
import { ShowFrame } from './frames/show-frame.ts';
import { warmUpFrame } from './frames/warm-up-frame.ts';
import { Freeing } from './freeing.ts';
import { Gate } from './gate.ts';
import { composeMedia } from './media/compose-media.ts';
import { MediaFactsKeeper } from './media/media-facts-keeper.ts';
import { MediaQuota } from './media/media-quota.ts';
import { RequestFiles } from './media/request-files.ts';
import { FindPauses } from './pauses/find-pauses.ts';
import { PlanStore } from './plan-store.ts';
import { composeProjects } from './projects/compose-projects.ts';
import { Housekeeper } from './retention/housekeeper.ts';
import { Orphans } from './retention/orphans.ts';
import { Removals } from './retention/removals.ts';
import { AssembleOutput } from './run/assemble-output.ts';
import { ChildPool } from './run/child-pool.ts';
import { EndExport } from './run/end-export.ts';
import { ExclusiveRuns } from './run/exclusive-runs.ts';
import { ExportChild } from './run/export-child.ts';
import { OutputWork } from './run/output-work.ts';
import { Recovery } from './run/recovery.ts';
import { RenderChunks } from './run/render-chunks.ts';
import { RenderSound } from './run/render-sound.ts';
import { RenderWorker } from './run/render-worker.ts';
import { StopOutput } from './run/stop-output.ts';
import { serviceStatus } from './service-status.ts';
import { Admission } from './submit/admission.ts';
import { MediaCheck } from './submit/media-check.ts';
import { ReplanExport } from './submit/replan-export.ts';
import { RequestCheck } from './submit/request-check.ts';
import { SubmitExport } from './submit/submit-export.ts';
import { Uploads } from './uploads.ts';
import { Usage } from './usage.ts';
import { SegmentSources } from './watch/segment-sources.ts';
import { WatchOutput } from './watch/watch-output.ts';
import { WebhookDeliveries } from './webhooks/webhook-deliveries.ts';

/** How many files are searched for pauses at once. Each needs a child process and most of a core. */
const LISTENED_TO_AT_ONCE = 2;

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
  const ends = new EndExport({ ...ports, work, retentionMs });
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
  const requests = new RequestCheck({ ...ports, files, check });
  const replan = new ReplanExport({ ...ports, uploads, plans, work, media: check });
  const submit = new SubmitExport({ ...ports, admission, quota, plans, uploads, work, files, facts, check });
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
  const renderChunks = new RenderChunks(ports);
  const renderSound = new RenderSound(ports);
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
