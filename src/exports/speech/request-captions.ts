import { randomUUID } from 'node:crypto';
import { json } from 'node:stream/consumers';
import { ExportError } from '../../errors.ts';
import type { VoicePlan } from '../../plan/plan-audio.ts';
import { sha256 } from '../../platform/sha256.ts';
import { captionWarnings } from '../../speech/captions/language-clarity.ts';
import type { CaptionModelName } from '../../speech/models/caption-models.ts';
import type { InstalledModels } from '../../speech/models/installed-models.ts';
import type { Database, Transaction } from '../../store/database.ts';
import { type JobQueue, singleJob } from '../../store/job-queue.ts';
import type { Changes } from '../../store/nodes/node-store.ts';
import type { CaptionRecords } from '../../store/records/caption-records.ts';
import type { MediaRecords } from '../../store/records/media-records.ts';
import { SAMPLE_RATE, type Seconds } from '../../time.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import { MEDIA_PART, readWantedCaptions, type WantedMedia } from '../../timeline/wanted-fields.ts';
import type { Meter } from '../api/meter.ts';
import type { CaptionsApi, CaptionsRequest, CaptionsView, ModelView } from '../api/speech-api.ts';
import { plainTexts } from '../api/submission.ts';
import type { Freeing } from '../freeing.ts';
import { type GatherOnePorts, gatherOne, withErrorPath } from '../media/gather-one.ts';
import type { MediaQuota } from '../media/media-quota.ts';
import type { RequestFile } from '../media/request-files.ts';
import type { MediaCheck } from '../submit/media-check.ts';
import type { Planner } from '../submit/planner.ts';
import type { RequestRules } from '../submit/read-request.ts';
import { withSubtitleFiles } from '../submit/read-subtitles.ts';
import type { Uploads } from '../uploads.ts';
import type { InstallModels } from './install-models.ts';

/** How many captions of a tenant may be unfinished. */
export interface CaptionsPolicy {
  readonly maxTenantCaptions: number;
}

interface RequestCaptionsPorts extends GatherOnePorts {
  readonly database: Database;
  readonly captions: CaptionRecords;
  readonly jobs: Pick<JobQueue, 'enqueue' | 'drop'>;
  readonly media: Pick<MediaRecords, 'use' | 'touch' | 'delete'>;
  readonly uploads: Pick<Uploads, 'hold' | 'keep' | 'read' | 'drop'>;
  readonly quota: Pick<MediaQuota, 'requireWithin'>;
  readonly models: InstalledModels;
  readonly installs: InstallModels;
  readonly check: MediaCheck;
  readonly planner: Pick<Planner, 'outline' | 'voice'>;
  readonly rules: Pick<RequestRules, 'json'>;
  readonly changes: Pick<Changes, 'notify' | 'listen'>;
  readonly freeing: Pick<Freeing, 'run'>;
  readonly policy: CaptionsPolicy;
  readonly meter: Pick<Meter, 'captionsRequested'>;
  readonly now: () => number;
}

/** The time of use is written at most this often. */
const USE_GRACE_MS = 60_000;

/** The sound of a request, identified by its content. */
interface Heard extends Pick<CaptionSource, 'heard' | 'duration'> {
  readonly key: string;
  readonly files: readonly RequestFile[];
}

/** Takes requests for captions and reports their state. (C77) */
export class RequestCaptions implements CaptionsApi {
  readonly #ports: RequestCaptionsPorts;

  constructor(ports: RequestCaptionsPorts) {
    this.#ports = ports;
  }

  languages(): readonly string[] {
    return this.#ports.models.languages();
  }

  models(): readonly ModelView[] {
    return this.#ports.installs.list();
  }

  installModel(name: CaptionModelName): ModelView {
    return this.#ports.installs.install(name);
  }

  requireModel(): void {
    this.#ports.installs.requireModel();
  }

  async submit(request: CaptionsRequest, signal: AbortSignal): Promise<string> {
    const { texts, uploads } = request;
    const beside = { hasPart: uploads.has(MEDIA_PART), hasDocuments: texts.has('timeline_data') };
    const { media, language } = readWantedCaptions(plainTexts(texts), beside);
    return media === null
      ? await this.#submitVoice(request, language, signal)
      : await this.#submitFile(request, media, language, signal);
  }

  async #submitFile(
    { tenant, uploads }: CaptionsRequest,
    wanted: WantedMedia,
    language: string,
    signal: AbortSignal,
  ): Promise<string> {
    const sent = uploads.get(MEDIA_PART);
    await using media = await gatherOne({ tenant, sent, wanted }, this.#ports, signal);
    const { file, path } = media;
    const { found } = await this.#ports.check.probe(tenant, [path], new Map([[path, file]]), signal);
    const facts = found.get(path)!;
    if ('error' in facts)
      throw withErrorPath(path, new ExportError(facts.error.kind, facts.error.code, facts.error.message));
    if (!facts.sound) throw noSound(path, 'The file has no sound to transcribe.');
    const { sha256 } = file;
    const heard = { heard: { file: sha256 }, duration: facts.duration, key: sha256, files: [file] };
    return await this.#keep(tenant, language, heard);
  }

  async #submitVoice(
    { tenant, texts, uploads }: CaptionsRequest,
    language: string,
    signal: AbortSignal,
  ): Promise<string> {
    const { planner, files, check, rules } = this.#ports;
    await using gathered = await files.gather(tenant, texts, uploads, new IssueList(), signal);
    const sent = { texts, uploads: gathered.fields };
    const outline = await gathered.withReferenceErrors(planner.outline(tenant, sent, signal));
    await gathered.fetch(outline, signal);
    const { fields, subtitleFiles } = outline;
    const whole = await withSubtitleFiles(texts, subtitleFiles, gathered.files, rules.json.maxBytes);
    const { found } = await check.probe(tenant, fields, gathered.files, signal);
    const { audio, sources, key } = await planner.voice(tenant, { ...sent, texts: whole, found }, signal);
    if (audio.clips.length === 0) throw noSound('/timeline_data', 'There is no voice in the video to transcribe.');
    const heard = new Set(sources.map(([, sha256]) => sha256));
    const needed = [...gathered.files.values()].filter(({ sha256 }) => heard.has(sha256));
    const duration = audio.totalSamples / SAMPLE_RATE;
    return await this.#keep(tenant, language, { heard: { audio, sources }, duration, key, files: needed });
  }

  /** Files first, then the record. */
  async #keep(tenant: string, language: string, { heard, duration, key: sound, files }: Heard): Promise<string> {
    const { database, captions, media, uploads, quota, jobs, models, meter, now } = this.#ports;
    const chosen = models.choose(language);
    const key = sha256(`${sound} ${chosen.key} ${chosen.language}`);
    const source: CaptionSource = { duration, heard };
    using _held = uploads.hold(contentOf(source));
    await uploads.keep(tenant, files);
    const keep = async (tx: Transaction) => {
      const known = await captions.findByKey(tenant, key, tx);
      if (known !== null && known.state !== 'failed') return { id: known.id, known: true };
      if (known !== null) await captions.delete(tenant, known.id, tx);
      await this.#requirePlace(tenant, tx);
      const id = randomUUID();
      for (const { sha256, bytes } of files) await media.use({ tenant, sha256, bytes, facts: null }, now(), tx);
      const { language, key: model } = chosen;
      const captioned = { id, tenant, key, language, model, source: JSON.stringify(source) };
      await captions.insert({ ...captioned, media: contentOf(source) }, now(), tx);
      await quota.requireWithin(tenant, tx);
      await jobs.enqueue([singleJob('captions', { id, tenant }, { needs: model })], tx);
      return { id, known: false };
    };
    const { id, known } = await database.transaction(keep, { lockTenant: tenant });
    meter.captionsRequested(known ? 'known' : 'new');
    return id;
  }

  async #requirePlace(tenant: string, tx: Transaction): Promise<void> {
    const { captions, policy } = this.#ports;
    if ((await captions.countUnfinished(tenant, tx)) < policy.maxTenantCaptions) return;
    const message = `${policy.maxTenantCaptions} of your captions are unfinished, the maximum. Wait until one is finished.`;
    throw new ExportError('unavailable', 'captions.too_many', message);
  }

  async get(tenant: string, id: string): Promise<CaptionsView | null> {
    const { database, captions, media, uploads, now } = this.#ports;
    const record = await captions.find(tenant, id, database.committed);
    if (record === null) return null;
    const { state, progress, language, result, error: failure } = record;
    if (result !== null) await media.touch(tenant, [result], now(), USE_GRACE_MS, database);
    const transcript =
      result === null ? null : ((await json(await uploads.read(result))) as CaptionsView['transcript']);
    const warnings = transcript === null ? [] : captionWarnings(transcript, language);
    return { id, state, progress, language, transcript, warnings, failure };
  }

  async waitFor(tenant: string, id: string, signal: AbortSignal): Promise<void> {
    const { database, captions, changes } = this.#ports;
    const aborted = Promise.withResolvers<never>();
    // Prevents an unhandled rejection if the work ends first.
    aborted.promise.catch(() => {});
    const giveUp = () => aborted.reject(signal.reason);
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      for (;;) {
        signal.throwIfAborted();
        const change = changes.listen(id);
        try {
          const record = await captions.find(tenant, id, database.committed);
          if (record === null || record.state === 'completed' || record.state === 'failed') return;
          await Promise.race([change.next, aborted.promise]);
        } finally {
          change.stop();
        }
      }
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  async remove(tenant: string, id: string): Promise<boolean> {
    const { database, captions, jobs, media, uploads, changes, freeing } = this.#ports;
    const deleted = await freeing.run(() =>
      database.transaction(async (tx) => {
        const found = await captions.delete(tenant, id, tx);
        if (found === null) return null;
        if (found.result !== null) await media.delete(tenant, found.result, tx);
        else await jobs.drop([singleJob('captions', { id, tenant }, { needs: found.model })], tx);
        return found;
      }),
    );
    if (deleted === null) return false;
    changes.notify(id);
    const { result } = deleted;
    if (result !== null) await freeing.run(() => uploads.drop([result]));
    return true;
  }
}

function noSound(path: string, message: string): ExportError {
  return new ExportError('invalid', 'captions.no_sound', message, { path });
}

/** The recorded input of captions. */
export interface CaptionSource {
  readonly duration: Seconds;
  readonly heard: { readonly file: string } | Pick<VoicePlan, 'audio' | 'sources'>;
}

/** The hashes of the heard content, without duplicates. */
export function contentOf({ heard }: CaptionSource): string[] {
  return 'file' in heard ? [heard.file] : [...new Set(heard.sources.map(([, sha256]) => sha256))];
}
