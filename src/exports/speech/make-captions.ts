import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ExportError } from '../../errors.ts';
import { NICENESS } from '../../platform/process-priority.ts';
import type { RenderOperations } from '../../sandbox/child/render-operations.ts';
import { takeFile } from '../../sandbox/host/take-file.ts';
import type { RenderHost } from '../../sandbox/render-host.ts';
import { type CheckedTranscript, readTranscript } from '../../sandbox/transcript-schema.ts';
import type { InstalledModels } from '../../speech/models/installed-models.ts';
import type { Database, Transaction } from '../../store/database.ts';
import { type Attempt, type JobQueue, singleJob } from '../../store/job-queue.ts';
import type { LocalFiles } from '../../store/local-files.ts';
import type { Changes } from '../../store/nodes/node-store.ts';
import type { CaptionRecords, WantedCaptions } from '../../store/records/caption-records.ts';
import type { MediaRecords } from '../../store/records/media-records.ts';
import type { Meter } from '../api/meter.ts';
import type { Log } from '../log.ts';
import { QueuedWork } from '../queued-work.ts';
import { recordedError } from '../run/end-export.ts';
import type { Uploads } from '../uploads.ts';
import { type CaptionSource, contentOf } from './request-captions.ts';

interface MakeCaptionsPorts {
  readonly database: Database;
  readonly captions: CaptionRecords;
  readonly jobs: JobQueue;
  readonly media: Pick<MediaRecords, 'keep' | 'delete'>;
  readonly uploads: Pick<Uploads, 'hold' | 'open' | 'addBytes'>;
  readonly models: InstalledModels;
  readonly local: Pick<LocalFiles, 'scratch'>;
  readonly host: Pick<RenderHost, 'open' | 'mediaLimits'>;
  readonly changes: Pick<Changes, 'notify' | 'listen'>;
  /** Whether no other process uses the same records. */
  readonly alone: boolean;
  readonly now: () => number;
  readonly meter: Pick<Meter, 'captionsEnded'>;
  readonly log: Log;
}

/** Each run needs a child process, half a gigabyte and a core. */
const MAX_AT_ONCE = 2;

/**
 * Captions fail if no running node has had their model for this long, during which this node was running: after an
 * outage the node with the model may start last. A single node knows at once.
 */
const ABANDONED_AFTER_MS = 60 * 60_000;

/** Makes requested captions, even if the process that accepted the request dies. (C77) */
export class MakeCaptions extends QueuedWork<number> {
  constructor(ports: MakeCaptionsPorts) {
    const { captions, database, models, now } = ports;
    const startedAtMs = now();
    super(
      {
        name: 'the work on captions',
        lane: 'captions',
        maxAtOnce: MAX_AT_ONCE,
        maxOfOneTenant: 1,
        has: () => models.keys(),
        onLook: () => failAbandoned(startedAtMs, ports),
        work: (attempt, signal, report) => make(attempt, ports, signal, report),
        report: ({ exportId: id }, progress) => captions.report(id, progress, database),
        fail: ({ exportId: id }, error, tx) => fail(id, error, ports, tx),
      },
      ports,
    );
  }
}

/** Other nodes do not fail captions that wait for this node. */
async function failAbandoned(startedAtMs: number, ports: MakeCaptionsPorts): Promise<void> {
  const { captions, models, database, jobs, changes, alone, now } = ports;
  const keys = models.keys();
  if (!alone) await captions.reportModels(keys, now(), database);
  const sinceMs = alone ? now() : now() - ABANDONED_AFTER_MS;
  if (!alone && sinceMs < startedAtMs) return;
  for (const { id, tenant, model, language } of await captions.abandoned(sinceMs, keys, database)) {
    await database.transaction(async (tx) => {
      await jobs.drop([singleJob('captions', { id, tenant }, { needs: model })], tx);
      await fail(id, lostModel(models, model, language), ports, tx);
    });
    changes.notify(id);
  }
}

/** Why a model that is not installed cannot be used. */
function lostModel(models: InstalledModels, key: string, language: string): unknown {
  try {
    models.named(key, language);
    return null;
  } catch (error) {
    return error;
  }
}

async function make(
  attempt: Attempt,
  ports: MakeCaptionsPorts,
  signal: AbortSignal,
  report: (progress: number) => void,
): Promise<void> {
  const { database, captions, jobs, media, uploads, changes, meter, now } = ports;
  const wanted = await captions.begin(attempt.job.exportId, database);
  if (wanted === null) {
    await database.transaction((tx) => jobs.complete(attempt, tx));
    return;
  }
  const { id, tenant } = wanted;
  changes.notify(id);
  const transcript = await transcribe(wanted, ports, signal, report);
  // The id makes the content unique, even if two transcripts are equal.
  const bytes = Buffer.from(JSON.stringify({ captions_id: id, ...transcript }));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  using _held = uploads.hold([sha256]);
  await uploads.addBytes(sha256, bytes, signal);
  await database.transaction(
    async (tx) => {
      if (!(await jobs.complete(attempt, tx))) return;
      await media.keep({ tenant, sha256, bytes: bytes.length }, now(), tx);
      const isWanted = await captions.end(id, { result: sha256 }, now(), tx);
      if (!isWanted) await media.delete(tenant, sha256, tx);
    },
    { lockTenant: tenant },
  );
  meter.captionsEnded('completed', transcript.duration);
}

async function transcribe(
  wanted: WantedCaptions,
  { models, uploads, local, host }: MakeCaptionsPorts,
  signal: AbortSignal,
  report: (progress: number) => void,
): Promise<CheckedTranscript> {
  const source: CaptionSource = JSON.parse(wanted.source);
  const { model } = models.named(wanted.model, wanted.language);
  await using held = new AsyncDisposableStack();
  const paths = new Map<string, string>();
  for (const sha256 of contentOf(source)) {
    const file = await uploads.open(sha256, signal).catch(deleted);
    paths.set(sha256, held.use(file).path);
  }
  const { path: folder } = held.use(await local.scratch());
  const workDir = join(folder, 'made');
  await mkdir(workDir);
  const lent = model.engine === 'moonshine' ? { lentDir: model.path } : {};
  const inputs = [...paths.values(), ...(model.engine === 'whisper' ? [model.path] : [])];
  const task = { inputs, workDir, ...lent, duration: source.duration, signal };
  await using child = await host.open({ ...task, niceness: NICENESS.render });
  const out = join(workDir, 'transcript.json');
  const params = { heard: heardOf(source, paths), model, limits: host.mediaLimits, out };
  await child.request('transcribe', params, { signal, onProgress: ({ done, total }) => report(done / total) });
  const taken = join(folder, 'taken.json');
  await takeFile(out, taken);
  const transcript = await readTranscript(taken, source.duration);
  if (transcript === null) throw misbehaved();
  return transcript;
}

function heardOf(
  { heard }: CaptionSource,
  paths: ReadonlyMap<string, string>,
): RenderOperations['transcribe']['params']['heard'] {
  if ('file' in heard) return { file: paths.get(heard.file)! };
  return { audio: heard.audio, files: heard.sources.map(([source, sha256]) => [source, paths.get(sha256)!] as const) };
}

async function fail(
  id: string,
  error: unknown,
  { captions, meter, now }: Pick<MakeCaptionsPorts, 'captions' | 'meter' | 'now'>,
  tx: Transaction,
): Promise<void> {
  const known = error instanceof ExportError ? error : ourFault(error);
  await captions.end(id, { error: recordedError(known) }, now(), tx);
  tx.afterCommit(() => meter.captionsEnded('failed', 0));
}

function deleted(cause: unknown): never {
  if (!(cause instanceof ExportError && cause.code === 'store.blob_missing')) throw cause;
  throw new ExportError('cancelled', 'media.deleted', 'The media were deleted before they were transcribed.', {
    cause,
  });
}

function misbehaved(): ExportError {
  return new ExportError(
    'internal',
    'render.misbehaved',
    'The transcript cannot be read because of an internal error.',
  );
}

function ourFault(cause: unknown): ExportError {
  const message = 'The captions could not be made because of an internal error.';
  return new ExportError('internal', 'captions.internal', message, { cause });
}
