import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { ExportError, isCancelled } from '../../errors.ts';
import type { PlanOutline } from '../../plan/plan-outline.ts';
import { NICENESS } from '../../platform/process-priority.ts';
import { FirstSignal } from '../../platform/signals.ts';
import type { TenantChunks } from '../../store/chunks/tenant-chunks.ts';
import type { Database } from '../../store/database.ts';
import type { Bell } from '../../store/nodes/node-store.ts';
import { WakeUp } from '../../store/nodes/wake-up.ts';
import { type DraftRecord, type DraftRecords, POSTER_PART, SOUND_PART } from '../../store/records/draft-records.ts';
import { type Seconds, secondsOf } from '../../time.ts';
import type { Presets } from '../../timeline/presets.ts';
import type { Meter } from '../api/meter.ts';
import type { Log } from '../log.ts';
import type { PlanStore } from '../plan-store.ts';
import { posterPart, renderPoster } from './assemble-output.ts';
import type { ChildPool } from './child-pool.ts';
import type { ExportChild, RenderedVideo } from './export-child.ts';
import { isAway } from './job-run.ts';
import { ChunkPublishing } from './render-missing-chunks.ts';
import type { RenderSharedSound } from './render-shared-sound.ts';
import { renderCancelled } from './running-exports.ts';
import { SpareTime } from './spare-time.ts';

interface RenderDraftsPorts {
  readonly database: Database;
  readonly drafts: DraftRecords;
  readonly plans: Pick<PlanStore, 'outline'>;
  readonly chunks: Pick<TenantChunks, 'present' | 'put'>;
  readonly renderSound: Pick<RenderSharedSound, 'render'>;
  readonly children: Pick<ChildPool, 'open' | 'keep'>;
  readonly rules: { readonly engineVersion: string; readonly presets: Presets };
  readonly draftBell: Pick<Bell, 'onRing'>;
  readonly meter: Pick<Meter, 'draftChunkRendered'>;
  readonly now: () => number;
  readonly log: Log;
}

/** How many drafts are searched for something to render. */
const MAX_LOOKED_AT = 20;
/**
 * How many parts of one draft a worker renders before it checks other drafts. Starting a child takes as long as
 * rendering a short chunk.
 */
const PARTS_PER_TURN = 20;
/** Adjacent chunks in one request: their clips are read on, not searched again from a key frame for each of them. */
const MAX_TOGETHER = 5;
/** A claim ends after this time unless its worker renews it. */
const CLAIM_MS = 30_000;
const RENEW_EVERY_MS = 10_000;
const AFTER_A_FAULT_MS = 10_000;
/** How long after the last draft an export is expected. */
const EXPORT_EXPECTED_MS = 300_000;
/** The next edits may make the video this many times as long. */
const ROOM_TO_GROW = 2;

/** A part of a draft that no worker renders yet. */
interface Part {
  readonly draft: DraftRecord;
  readonly outline: PlanOutline;
  /** A chunk's number, `SOUND_PART` or `POSTER_PART`. */
  readonly part: number;
  readonly key: string;
  /** The holder of the claim. */
  readonly holder: string;
}

/** Renders drafts in the spare time of a node, a few adjacent chunks at a time for each worker. All workers of the node share it. (C79) */
export class RenderDrafts {
  readonly #ports: RenderDraftsPorts;
  readonly #bell = new WakeUp();
  readonly spareTime: SpareTime;
  /** The export of the last draft: its total duration, and until when it is expected. */
  #expected: { readonly duration: Seconds; readonly untilMs: number } | null = null;

  constructor(ports: RenderDraftsPorts, spareTime = new SpareTime()) {
    this.#ports = ports;
    this.spareTime = spareTime;
    ports.draftBell.onRing(() => this.#bell.ring());
  }

  /**
   * Renders drafts until `awaited` settles, because there may be a job then. Stops the part in progress and returns.
   */
  async renderUntil(awaited: Promise<void>, signal: AbortSignal): Promise<void> {
    const stop = new AbortController();
    const settled = awaited.catch(() => {}).finally(() => stop.abort());
    using either = new FirstSignal(signal, stop.signal);
    while (!either.signal.aborted) {
      try {
        const count = this.#bell.count;
        const dueMs = await this.spareTime.use(async (spare) => {
          const waitMs = await this.#renderAll(spare);
          spare.throwIfAborted();
          this.#prepareExport(signal);
          return waitMs;
        }, either.signal);
        if (dueMs !== null) await this.#bell.wait(count, dueMs, either.signal);
      } catch (error) {
        if (either.signal.aborted) break;
        this.#ports.log('error', 'rendering drafts failed', { error });
        await setTimeout(AFTER_A_FAULT_MS, undefined, { signal: either.signal }).catch(() => {});
      }
    }
    await settled;
  }

  /** Renders until nothing is left. Returns how long until a claim of another worker ends. */
  async #renderAll(signal: AbortSignal): Promise<number> {
    for (;;) {
      const next = await this.#claim();
      if (typeof next === 'number') return next;
      await this.#renderPlan(next, signal);
    }
  }

  /** Renders parts of one plan in one child, for a turn. */
  async #renderPlan(first: readonly Part[], signal: AbortSignal): Promise<void> {
    const { draft } = first[0]!;
    let next = first;
    try {
      await using child = await this.#ports.children.open(videoOf(first[0]!), signal, { niceness: NICENESS.draft });
      for (let rendered = 0; next.length > 0; ) {
        rendered += next.length;
        const isKept = await this.#render(next, child, signal);
        next = isKept && rendered < PARTS_PER_TURN ? await this.#claimFrom(await this.#missingOf(draft)) : [];
      }
    } catch (error) {
      await this.#end(next, error, signal);
      signal.throwIfAborted();
    }
  }

  /** The next parts to render. If there are none, how long until one may be free. */
  async #claim(): Promise<readonly Part[] | number> {
    const { database, drafts, rules } = this.#ports;
    let isHeld = false;
    for (const draft of await drafts.unfinished(rules.engineVersion, MAX_LOOKED_AT, database)) {
      const missing = await this.#missingOf(draft);
      const parts = await this.#claimFrom(missing);
      if (parts.length > 0) return parts;
      if (missing.length > 0) isHeld = true;
    }
    return isHeld ? CLAIM_MS : Number.POSITIVE_INFINITY;
  }

  /** Claims the first part that no worker has, and the chunks that follow it. */
  async #claimFrom(missing: readonly Part[]): Promise<readonly Part[]> {
    const { database, drafts, now } = this.#ports;
    const claimed: Part[] = [];
    for (const part of missing) {
      const last = claimed.at(-1);
      const isNext = last === undefined || (isChunk(last) && part.part === last.part + 1);
      if (!isNext || claimed.length === MAX_TOGETHER) break;
      const nowMs = now();
      const term = { holder: part.holder, nowMs, untilMs: nowMs + CLAIM_MS };
      const isOurs = await database.transaction((tx) => drafts.claim(part.draft, part.part, term, tx));
      if (isOurs) claimed.push(part);
      else if (last !== undefined) break;
    }
    return claimed;
  }

  /** The parts that a draft lacks, in the order in which an export needs them. The draft is ready if there are none. */
  async #missingOf(draft: DraftRecord): Promise<Part[]> {
    const { plans, chunks, drafts, database, log } = this.#ports;
    try {
      const outline = await plans.outline(draft.planId, draft.preset);
      const holder = randomUUID();
      const pictures = outline.chunks.map(({ key }, part) => ({ draft, outline, part, key, holder }));
      const sound = { draft, outline, part: SOUND_PART, key: outline.audio.key, holder };
      const poster = { draft, outline, part: POSTER_PART, key: posterPart(outline), holder };
      const parts = [...pictures.slice(0, 1), sound, ...pictures.slice(1), poster];
      const isThere = await chunks.present(
        draft.tenant,
        parts.map(({ key }) => key),
      );
      // Repeated chunks share one key.
      const keys = new Set<string>();
      const missing = parts.filter(({ key }) => !isThere(key) && !keys.has(key) && keys.add(key));
      if (missing.length === 0) {
        await drafts.setState(draft, 'ready', database);
        this.#expectExport(outline);
      }
      return missing;
    } catch (error) {
      const isCurrent = (await drafts.find(draft.tenant, draft.id, database))?.planId === draft.planId;
      if (!isCurrent) return [];
      if (!(error instanceof ExportError) || isAway(error)) throw error;
      log('warn', 'draft not rendered', { error });
      await drafts.setState(draft, 'failed', database);
      return [];
    }
  }

  #expectExport({ totalFrames, rate }: PlanOutline): void {
    const { rules, now } = this.#ports;
    const duration = secondsOf(totalFrames, rate) * rules.presets.length * ROOM_TO_GROW;
    this.#expected = { duration, untilMs: now() + EXPORT_EXPECTED_MS };
  }

  /** Starts the child of the expected export. */
  #prepareExport(signal: AbortSignal): void {
    const { children, now } = this.#ports;
    const keptMs = (this.#expected?.untilMs ?? 0) - now();
    if (keptMs > 0) children.keep('drafts', this.#expected!.duration, signal, keptMs);
  }

  /** False if the cache has no room. The next part would not fit either, so the draft ends. */
  async #render(parts: readonly Part[], child: ExportChild, signal: AbortSignal): Promise<boolean> {
    using _renewing = this.#renewing(parts);
    const watch = new AbortController();
    using either = new FirstSignal(signal, watch.signal);
    const waiting = new Set(parts);
    const watching = this.#abortUnwanted(parts[0]!.draft, waiting, watch, either.signal);
    let isKept = true;
    const publish = async (part: Part, file: string): Promise<void> => {
      isKept = (await this.#publish(part, file)) && isKept;
      waiting.delete(part);
    };
    try {
      const [first] = parts;
      if (isChunk(first!)) await renderChunks(parts, child, publish, either.signal);
      else await publish(first!, await this.#renderFile(first!, child, either.signal));
      return isKept;
    } finally {
      watch.abort(renderCancelled());
      await watching;
    }
  }

  /** Returns whether the cache had room for it. */
  async #publish(part: Part, file: string): Promise<boolean> {
    const { chunks, meter, drafts, database } = this.#ports;
    const { draft, key } = part;
    await chunks.put(draft.tenant, key, file, { spare: true });
    meter.draftChunkRendered();
    const isKept = (await chunks.present(draft.tenant, [key]))(key);
    if (!isKept) await drafts.setState(draft, 'ready', database);
    await this.#release(part);
    return isKept;
  }

  #renderFile({ outline, part }: Part, child: ExportChild, signal: AbortSignal): Promise<string> {
    if (part === SOUND_PART) return this.#ports.renderSound.render(outline, child, { signal, onWarning: () => {} });
    return renderPoster(outline, child, signal);
  }

  /** Aborts when an edit has changed or deleted something that is being rendered. */
  async #abortUnwanted(
    draft: DraftRecord,
    waiting: ReadonlySet<Part>,
    stop: AbortController,
    signal: AbortSignal,
  ): Promise<void> {
    const { drafts, database, plans } = this.#ports;
    try {
      for (let count = this.#bell.count; ; ) {
        await this.#bell.wait(count, Number.POSITIVE_INFINITY, signal);
        count = this.#bell.count;
        const current = await drafts.find(draft.tenant, draft.id, database.committed);
        if (current?.planId === draft.planId) continue;
        const outline = current && (await plans.outline(current.planId, current.preset));
        const keys =
          outline === null ? [] : [outline.audio.key, posterPart(outline), ...outline.chunks.map((chunk) => chunk.key)];
        if (waiting.values().some(({ key }) => !keys.includes(key))) return stop.abort(renderCancelled());
      }
    } catch (error) {
      if (!signal.aborted) stop.abort(error);
    }
  }

  #renewing(parts: readonly Part[]): Disposable {
    const { drafts, database, now, log } = this.#ports;
    const timer = setInterval(() => {
      for (const { draft, part, holder } of parts) {
        drafts.renew(draft, part, holder, now() + CLAIM_MS, database).catch((error: unknown) => {
          log('warn', 'claim on draft not renewed', { error });
        });
      }
    }, RENEW_EVERY_MS);
    return { [Symbol.dispose]: () => clearInterval(timer) };
  }

  async #release({ draft, part, holder }: Part): Promise<void> {
    const { drafts, database } = this.#ports;
    await drafts.release(draft, part, holder, database);
  }

  /** Releases the claims. A part that cannot be rendered ends its draft. */
  async #end(parts: readonly Part[], error: unknown, signal: AbortSignal): Promise<void> {
    const { drafts, database, log } = this.#ports;
    for (const part of parts) await this.#release(part);
    if (signal.aborted || isCancelled(error)) return;
    if (!(error instanceof ExportError) || isAway(error)) throw error;
    log('warn', 'draft not rendered', { error });
    await drafts.setState(parts[0]!.draft, 'failed', database);
  }
}

function isChunk({ part }: Part): boolean {
  return part !== SOUND_PART && part !== POSTER_PART;
}

async function renderChunks(
  parts: readonly Part[],
  child: ExportChild,
  publish: (part: Part, file: string) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const { outline } = parts[0]!;
  const targets = parts.map((part) => {
    return { part, range: outline.chunks[part.part]!, out: child.path(`${outline.preset}-${part.part}.mp4`) };
  });
  const publishing = new ChunkPublishing([targets], async ({ part, out }) => publish(part, await child.take(out)));
  const needed = new Set(parts.flatMap(({ part }) => outline.needs.chunks[part]!));
  const jobs = targets.map(({ range: { start, end }, out }) => ({ range: { start, end }, out }));
  const onProgress = () => publishing.look();
  const { limits, ...inputs } = await child.inputs(outline, needed);
  await child.request('render_chunks', { presets: [{ ...inputs, jobs }], limits }, { signal, onProgress });
  await publishing.finish();
}

function videoOf({ draft, outline }: Part): RenderedVideo {
  return { id: draft.planId, tenant: draft.tenant, duration: secondsOf(outline.totalFrames, outline.rate) };
}
