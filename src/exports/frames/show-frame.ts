import { ExportError, type Issue } from '../../errors.ts';
import type { FramePlan } from '../../plan/frame-plan.ts';
import type { FactsOrError } from '../../plan/resolve-facts.ts';
import { unlessAborted } from '../../platform/signals.ts';
import type { Database } from '../../store/database.ts';
import type { ExportRecords } from '../../store/records/export-records.ts';
import { secondsOf } from '../../time.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import { isStrict, requireNoWarnings } from '../../timeline/request-documents.ts';
import { readWantedFrame, readWantedThumbnail, THUMBNAIL_FIELDS } from '../../timeline/wanted-fields.ts';
import type {
  ExportThumbnailRequest,
  FrameFormat,
  FramePicture,
  FrameRequest,
  ThumbnailFormat,
  ThumbnailPicture,
  ThumbnailRequest,
} from '../api/exports-api.ts';
import { plainTexts } from '../api/submission.ts';
import type { Gate } from '../gate.ts';
import type { RequestFiles } from '../media/request-files.ts';
import type { PlanStore } from '../plan-store.ts';
import type { MediaCheck } from '../submit/media-check.ts';
import type { Planner } from '../submit/planner.ts';
import type { RequestRules } from '../submit/read-request.ts';
import { withSubtitleFiles } from '../submit/read-subtitles.ts';
import type { PaintedCheck } from '../submit/request-check.ts';
import type { Uploads } from '../uploads.ts';
import type { FrameChild, LentFile, ShownPicture } from './frame-child.ts';
import type { FrameChildren } from './frame-children.ts';

interface ShowFramePorts {
  readonly database: Database;
  readonly records: Pick<ExportRecords, 'findOfTenant'>;
  readonly plans: Pick<PlanStore, 'readRequest'>;
  readonly uploads: Pick<Uploads, 'open'>;
  readonly planner: Pick<Planner, 'outline' | 'frame' | 'thumbnail' | 'thumbnailFields'>;
  readonly files: Pick<RequestFiles, 'gather'>;
  readonly check: MediaCheck;
  readonly rules: Pick<RequestRules, 'presets' | 'json'>;
  readonly places: FramePlaces;
  /** Limits the concurrent frames, by tenant. Renders do not wait here. */
  readonly turns: Gate;
  readonly children: FrameChildren;
  /** How long one frame may take. */
  readonly frameLimitMs: number;
}

/** How long a child may continue a frame that no client waits for. Finishing it makes the next one faster. */
const ABANDONED_MS = 1_000;

/** Shows single frames without an export, and thumbnails of requests and exports. (C39, C92) */
export class ShowFrame implements PaintedCheck {
  readonly #ports: ShowFramePorts;

  constructor(ports: ShowFramePorts) {
    this.#ports = ports;
  }

  /** Called at the headers, so that a spare child starts while the body arrives. @throws `frame.too_many` */
  admit(tenant: string): Disposable {
    const place = this.#ports.places.take(tenant);
    this.#ports.children.expect();
    return place;
  }

  /** @throws ExportError with all errors of the request; `frame.outside`; every error of a render. */
  async show(request: FrameRequest, signal: AbortSignal): Promise<FramePicture> {
    return unlessAborted(this.#gatherAndShow(request, this.#frame(request.format, signal), signal), signal);
  }

  /** See PaintedCheck. */
  async requireNoWarnings(...[request, signal]: Parameters<PaintedCheck['requireNoWarnings']>): Promise<void> {
    const { tenant } = request;
    const plain = plainTexts(request.texts);
    if (!isStrict(plain)) return;
    const texts = new Map([...request.texts].filter(([name]) => name !== 'at'));
    const wanted = { ...request, texts: texts.set('frame', '0') };
    const task = this.#frame('jpeg', signal);
    const { warnings } = await this.#ports.turns.run(tenant, signal, () => this.#showAgain(wanted, task, signal));
    requireNoWarnings(plain, warnings);
  }

  #frame(format: FrameFormat, signal: AbortSignal): Task<FramePicture> {
    const { planner, rules } = this.#ports;
    return {
      check: (texts) => readWantedFrame(texts, rules.presets),
      draw: async (child, { tenant, ...wanted }, timed) => {
        const plan = await planner.frame(tenant, wanted, signal);
        return pictureOf(plan, await child.show(plan, format, timed));
      },
    };
  }

  /** @throws ExportError with all errors of the request; every error of a render. */
  async thumbnail(request: ThumbnailRequest, signal: AbortSignal): Promise<ThumbnailPicture> {
    return unlessAborted(this.#gatherAndShow(request, this.#thumbnail(request.format, signal), signal), signal);
  }

  /** Null until the media of the export are probed. Opens the files that it shows, and no others. */
  async exportThumbnail(request: ExportThumbnailRequest, signal: AbortSignal): Promise<ThumbnailPicture | null> {
    return unlessAborted(this.#exportThumbnail(request, signal), signal);
  }

  async #exportThumbnail(
    { tenant, id, texts: looks, format }: ExportThumbnailRequest,
    signal: AbortSignal,
  ): Promise<ThumbnailPicture | null> {
    const { records, database, plans, uploads: stored, planner, turns } = this.#ports;
    readWantedThumbnail(looks);
    const record = await records.findOfTenant(tenant, id, database.committed);
    if (record === null || record.totalFrames === 0) return null;
    const isLook = (name: string) => (THUMBNAIL_FIELDS as readonly string[]).includes(name);
    const sent = [...(await plans.readRequest(id))].filter(([name]) => !isLook(name));
    const texts = new Map([...sent, ...looks]);
    const uploads = record.uploads.map(({ field }) => field);
    const fields = new Set(await planner.thumbnailFields(tenant, { texts, uploads }, signal));
    return await turns.run(tenant, signal, async () => {
      await using held = new AsyncDisposableStack();
      const files = new Map<string, LentFile>();
      for (const { field, hash } of record.uploads) {
        if (!fields.has(field)) continue;
        const { path } = held.use(await stored.open(hash, signal));
        files.set(field, { path, sha256: hash });
      }
      const wanted = { tenant, texts, uploads, files, found: null };
      return await this.#showAgain(wanted, this.#thumbnail(format, signal), signal);
    });
  }

  #thumbnail(format: ThumbnailFormat, signal: AbortSignal): Task<ThumbnailPicture> {
    return {
      check: readWantedThumbnail,
      draw: async (child, { tenant, ...wanted }, timed) => {
        const plan = await this.#ports.planner.thumbnail(tenant, wanted, signal);
        const { warnings, ...picture } = await child.thumbnail(plan, format, timed);
        return { ...picture, warnings: [...plan.warnings, ...warnings] };
      },
    };
  }

  /**
   * Continues without a waiting client until the child is done, because the child uses the files and the turn until
   * then.
   */
  async #gatherAndShow<Shown>(
    { tenant, texts, uploads }: Pick<FrameRequest, 'tenant' | 'texts' | 'uploads'>,
    task: Task<Shown>,
    signal: AbortSignal,
  ): Promise<Shown> {
    const { planner, files, rules, turns } = this.#ports;
    const faults = new IssueList();
    faults.collect(() => task.check(plainTexts(texts)));
    await using gathered = await files.gather(tenant, texts, uploads, faults, signal);
    const request = { texts, uploads: gathered.fields };
    const outline = await gathered.withReferenceErrors(planner.outline(tenant, request, signal));
    await gathered.fetch(outline, signal);
    const { fields, subtitleFiles } = outline;
    const whole = await withSubtitleFiles(texts, subtitleFiles, gathered.files, rules.json.maxBytes);
    const mentioned = new Map(fields.map((field) => [field, gathered.files.get(field)!]));
    const wanted = { tenant, texts: whole, uploads: gathered.fields, files: mentioned, found: null };
    // Awaited here because the files must exist until the picture is made.
    return await turns.run(tenant, signal, () => this.#showAgain(wanted, task, signal));
  }

  /** One crash of a child may be a coincidence, so it retries once. (C35) */
  async #showAgain<Shown>(wanted: Wanted, task: Task<Shown>, signal: AbortSignal): Promise<Shown> {
    try {
      return await this.#showOnce(wanted, task, signal);
    } catch (error) {
      if (signal.aborted || !(error instanceof ExportError) || error.code !== 'render.crashed') throw error;
      return this.#showOnce(wanted, task, signal);
    }
  }

  #showOnce<Shown>(wanted: Wanted, task: Task<Shown>, signal: AbortSignal): Promise<Shown> {
    const { children, frameLimitMs } = this.#ports;
    const { tenant, texts, uploads } = wanted;
    const files = [...wanted.files.values()];
    return children.use(tenant, new Set(files.map(({ sha256 }) => sha256)), async (child) => {
      signal.throwIfAborted();
      using time = new FrameTime(frameLimitMs, signal);
      try {
        await child.lend(files);
        wanted.found ??= await this.#probe(wanted, child, time.signal);
        return await task.draw(child, { tenant, texts, uploads, found: wanted.found }, time.signal);
      } catch (error) {
        throw time.isOver ? overTime(frameLimitMs, error) : error;
      }
    });
  }

  /** If a file ends the child, the regular probe finds out which one it is. */
  async #probe({ tenant, files }: Wanted, child: FrameChild, signal: AbortSignal): Promise<Found> {
    const { check } = this.#ports;
    const fields = [...files.keys()];
    try {
      const { found } = await check.probe(tenant, fields, files, signal, (unknown) => {
        return child.probe(unknown.keys(), signal);
      });
      return found;
    } catch (error) {
      if (signal.aborted || child.lives || !(error instanceof ExportError)) throw error;
      return (await check.probe(tenant, fields, files, signal)).found;
    }
  }
}

/** What is made of a request: one of its frames, or a thumbnail. */
interface Task<Shown> {
  /** @throws ExportError with everything that is wrong in the fields of its own. */
  check(texts: ReadonlyMap<string, string>): unknown;
  /** @param timed ends the child. */
  draw(child: FrameChild, wanted: ProbedTexts, timed: AbortSignal): Promise<Shown>;
}

/** A request whose files are probed. */
interface ProbedTexts extends Pick<FrameRequest, 'tenant' | 'texts'> {
  readonly uploads: readonly string[];
  readonly found: Found;
}

/** By field. */
type Found = ReadonlyMap<string, FactsOrError>;

/** A request, the files that it mentions, and their facts, which are read once. */
interface Wanted extends Pick<FrameRequest, 'tenant' | 'texts'> {
  readonly uploads: readonly string[];
  readonly files: ReadonlyMap<string, LentFile>;
  found: Found | null;
}

/** The time limit of one frame: the full limit while a client waits, a short one after the client leaves. */
class FrameTime implements Disposable {
  readonly #end = new AbortController();
  readonly #waiting: AbortSignal;
  #timer: NodeJS.Timeout;
  isOver = false;

  constructor(limitMs: number, waiting: AbortSignal) {
    this.#waiting = waiting;
    this.#timer = setTimeout(() => {
      this.isOver = true;
      this.#end.abort();
    }, limitMs);
    waiting.addEventListener('abort', this.#hurry);
  }

  get signal(): AbortSignal {
    return this.#end.signal;
  }

  readonly #hurry = (): void => {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end.abort(), ABANDONED_MS);
  };

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#waiting.removeEventListener('abort', this.#hurry);
  }
}

function pictureOf({ frame, plan }: FramePlan, { warnings, ...picture }: ShownPicture): FramePicture {
  const { rate, totalFrames } = plan;
  const all: Issue[] = [...plan.warnings, ...warnings];
  return { ...picture, frame, totalFrames, seconds: secondsOf(frame, rate), warnings: all };
}

function overTime(limitMs: number, cause: unknown): ExportError {
  const message = `The frame took longer than the limit of ${limitMs / 1000} s. An export has no such limit.`;
  return new ExportError('invalid', 'render.over_budget', message, { cause });
}

/** How many requests for frames are accepted, including the waiting ones. */
export interface FramePlacesPolicy {
  readonly maxFrames: number;
  readonly maxTenantFrames: number;
}

/** Counts the requests for frames, starting at their headers. */
export class FramePlaces {
  readonly #policy: FramePlacesPolicy;
  readonly #taken = new Map<string, number>();
  #all = 0;

  constructor(policy: FramePlacesPolicy) {
    this.#policy = policy;
  }

  /** Takes a place until disposed. @throws `frame.too_many` */
  take(tenant: string): Disposable {
    const { maxFrames, maxTenantFrames } = this.#policy;
    const own = this.#taken.get(tenant) ?? 0;
    if (own >= maxTenantFrames || this.#all >= maxFrames) {
      const which = own >= maxTenantFrames ? `${own} of your frames` : `${this.#all} frames`;
      throw new ExportError(
        'unavailable',
        'frame.too_many',
        `${which} are already in progress. Try again in a moment.`,
      );
    }
    this.#count(tenant, 1);
    return { [Symbol.dispose]: () => this.#count(tenant, -1) };
  }

  #count(tenant: string, change: number): void {
    const own = (this.#taken.get(tenant) ?? 0) + change;
    if (own > 0) this.#taken.set(tenant, own);
    else this.#taken.delete(tenant);
    this.#all += change;
  }
}
