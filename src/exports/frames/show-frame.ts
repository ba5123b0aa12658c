import { ExportError, type Issue } from '../../errors.ts';
import type { FramePlan } from '../../plan/frame-plan.ts';
import type { FactsOrError } from '../../plan/resolve-facts.ts';
import { unlessAborted } from '../../platform/signals.ts';
import { secondsOf } from '../../time.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import { readWantedFrame } from '../../timeline/wanted-fields.ts';
import type { FramePicture, FrameRequest } from '../api/exports-api.ts';
import { plainTexts } from '../api/submission.ts';
import type { Gate } from '../gate.ts';
import type { RequestFiles } from '../media/request-files.ts';
import type { MediaCheck } from '../submit/media-check.ts';
import type { Planner } from '../submit/planner.ts';
import type { RequestRules } from '../submit/read-request.ts';
import { withSubtitleFiles } from '../submit/read-subtitles.ts';
import type { FrameChild, LentFile, ShownFrame } from './frame-child.ts';
import type { FrameChildren } from './frame-children.ts';

interface ShowFramePorts {
  readonly planner: Pick<Planner, 'outline' | 'frame'>;
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

/** Renders single frames without an export. (C39) */
export class ShowFrame {
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
    return unlessAborted(this.#prepareAndShow(request, signal), signal);
  }

  /**
   * Continues without a waiting client until the child is done, because the child uses the files and the turn until
   * then.
   */
  async #prepareAndShow({ tenant, texts, uploads, format }: FrameRequest, signal: AbortSignal): Promise<FramePicture> {
    const { planner, files, rules, turns } = this.#ports;
    const faults = new IssueList();
    faults.collect(() => readWantedFrame(plainTexts(texts), rules.presets));
    await using gathered = await files.gather(tenant, texts, uploads, faults, signal);
    const request = { texts, uploads: gathered.fields };
    const outline = await gathered.withReferenceErrors(planner.outline(tenant, request, signal));
    await gathered.fetch(outline, signal);
    const { fields, subtitleFiles } = outline;
    const whole = await withSubtitleFiles(texts, subtitleFiles, gathered.files, rules.json.maxBytes);
    const mentioned = new Map(fields.map((field) => [field, gathered.files.get(field)!]));
    const wanted = { tenant, texts: whole, uploads: gathered.fields, format, files: mentioned, found: null };
    // Awaited here because the files must exist until the frame is rendered.
    return await turns.run(tenant, signal, () => this.#showAgain(wanted, signal));
  }

  /** One crash of a child may be a coincidence, so it retries once. (C35) */
  async #showAgain(wanted: Wanted, signal: AbortSignal): Promise<FramePicture> {
    try {
      return await this.#showOnce(wanted, signal);
    } catch (error) {
      if (signal.aborted || !(error instanceof ExportError) || error.code !== 'render.crashed') throw error;
      return this.#showOnce(wanted, signal);
    }
  }

  #showOnce(wanted: Wanted, signal: AbortSignal): Promise<FramePicture> {
    const { children, planner, frameLimitMs } = this.#ports;
    const { tenant, texts, uploads, format } = wanted;
    const files = [...wanted.files.values()];
    return children.use(tenant, new Set(files.map(({ sha256 }) => sha256)), async (child) => {
      signal.throwIfAborted();
      using time = new FrameTime(frameLimitMs, signal);
      try {
        await child.lend(files);
        wanted.found ??= await this.#probe(wanted, child, time.signal);
        const plan = await planner.frame(tenant, { texts, uploads, found: wanted.found }, signal);
        return pictureOf(plan, await child.show(plan, format, time.signal));
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

/** By field. */
type Found = ReadonlyMap<string, FactsOrError>;

/** A request, the files that it mentions, and their facts, which are read once. */
interface Wanted extends Pick<FrameRequest, 'tenant' | 'texts' | 'format'> {
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

function pictureOf({ frame, plan }: FramePlan, { warnings, ...picture }: ShownFrame): FramePicture {
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
