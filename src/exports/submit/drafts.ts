import { randomUUID } from 'node:crypto';
import { ExportError } from '../../errors.ts';
import { isPlanMissing, type PlanOutline } from '../../plan/plan-outline.ts';
import type { TenantChunks } from '../../store/chunks/tenant-chunks.ts';
import type { Database } from '../../store/database.ts';
import type { Bell } from '../../store/nodes/node-store.ts';
import type { DraftRecord, DraftRecords } from '../../store/records/draft-records.ts';
import { type Range, type Seconds, secondsOf } from '../../time.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import { pointer } from '../../timeline/json/json-pointer.ts';
import { MEDIA_URLS } from '../../timeline/media-references.ts';
import type { Meter } from '../api/meter.ts';
import type { DraftsApi, DraftView, SentDraft } from '../api/projects-api.ts';
import type { Log } from '../log.ts';
import type { RequestFiles } from '../media/request-files.ts';
import type { PlanStore } from '../plan-store.ts';
import type { MediaCheck } from './media-check.ts';
import type { Planner } from './planner.ts';
import type { RequestRules } from './read-request.ts';
import { withSubtitleFiles } from './read-subtitles.ts';

/** How many drafts a tenant may have. */
export interface DraftsPolicy {
  readonly maxDrafts: number;
}

interface DraftsPorts {
  readonly database: Database;
  readonly drafts: DraftRecords;
  readonly plans: Pick<PlanStore, 'keep' | 'outline' | 'drop'>;
  readonly chunks: Pick<TenantChunks, 'present'>;
  readonly planner: Pick<Planner, 'outline' | 'draft'>;
  readonly files: Pick<RequestFiles, 'gather'>;
  readonly check: MediaCheck;
  readonly rules: RequestRules;
  readonly policy: DraftsPolicy;
  /** Wakes the workers of all nodes. */
  readonly draftBell: Pick<Bell, 'ring'>;
  readonly meter: Pick<Meter, 'draftSent'>;
  readonly log: Log;
  readonly now: () => number;
}

/** A draft that no client reads is kept this long. */
const UNUSED_MS = 10 * 60_000;

/** Takes in drafts and reports on them. `RenderDrafts` renders them. (C79) */
export class Drafts implements DraftsApi {
  readonly #ports: DraftsPorts;

  constructor(ports: DraftsPorts) {
    this.#ports = ports;
  }

  /** See DraftsApi. */
  async put(id: string, { tenant, texts, uploads }: SentDraft, signal: AbortSignal): Promise<void> {
    const { files, planner, check, rules, plans } = this.#ports;
    const [part] = uploads.keys();
    if (part !== undefined) throw needsReferences(pointer('', part));
    await using gathered = await files.gather(tenant, texts, new Map(), new IssueList(), signal);
    const request = { texts, uploads: gathered.fields };
    const outline = await gathered.withReferenceErrors(planner.outline(tenant, request, signal));
    if (gathered.absent(outline) > 0) throw needsReferences(`/${MEDIA_URLS}`);
    const { fields, subtitleFiles } = outline;
    const whole = await withSubtitleFiles(texts, subtitleFiles, gathered.files, rules.json.maxBytes);
    const { found } = await check.probe(tenant, fields, gathered.files, signal);
    const plan = await planner.draft(tenant, { ...request, texts: whole, found }, signal);
    const planId = randomUUID();
    const draft = {
      tenant,
      id,
      planId,
      preset: plan.preset,
      engineVersion: rules.engineVersion,
      state: 'rendering',
    } as const;
    await plans.keep(planId, plan);
    const earlier = await this.#record(draft).catch(async (error: unknown) => {
      // If the database connection was lost, the record may exist. The sweep of orphans removes the plan if it does
      // not.
      if (!isUnreachable(error)) await this.#dropPlan(draft);
      throw error;
    });
    if (earlier !== null) await this.#dropPlan(earlier);
    this.#ports.draftBell.ring();
    this.#ports.meter.draftSent();
  }

  /** See DraftsApi. */
  async get(tenant: string, id: string): Promise<DraftView | null> {
    const { database, drafts, plans, chunks, now } = this.#ports;
    for (;;) {
      const draft = await drafts.find(tenant, id, database);
      if (draft === null) return null;
      try {
        const outline = await plans.outline(draft.planId, draft.preset);
        const keys = outline.chunks.map(({ key }) => key);
        const isThere = await chunks.present(tenant, keys);
        await drafts.touch(tenant, id, now(), database);
        const ready = keys.filter(isThere).length;
        return { state: draft.state, chunks: keys.length, ready, ranges: rangesOf(outline, isThere) };
      } catch (error) {
        // Replaced or deleted since it was found.
        if (!isPlanMissing(error)) throw error;
        if ((await drafts.find(tenant, id, database))?.planId === draft.planId) throw error;
      }
    }
  }

  /** See DraftsApi. */
  async remove(tenant: string, id: string): Promise<boolean> {
    const { database, drafts, draftBell } = this.#ports;
    const removed = await database.transaction((tx) => drafts.delete(tenant, id, tx));
    if (removed === null) return false;
    await this.#dropPlan(removed);
    draftBell.ring();
    return true;
  }

  /** Deletes drafts that no client has read for a while. Call it periodically. */
  async expire(): Promise<void> {
    const { database, drafts, draftBell, now } = this.#ports;
    const expired = await database.transaction((tx) => drafts.deleteUnused(now() - UNUSED_MS, tx));
    for (const draft of expired) await this.#dropPlan(draft);
    if (expired.length > 0) draftBell.ring();
  }

  /** Returns the replaced draft. */
  async #record(draft: DraftRecord): Promise<DraftRecord | null> {
    const { database, drafts, policy, now } = this.#ports;
    return database.transaction(
      async (tx) => {
        const earlier = await drafts.find(draft.tenant, draft.id, tx);
        if (earlier === null && (await drafts.count(draft.tenant, tx)) >= policy.maxDrafts) throw tooMany(policy);
        await drafts.put(draft, now(), tx);
        return earlier;
      },
      { lockTenant: draft.tenant },
    );
  }

  /** The sweep of orphans removes what this cannot. */
  async #dropPlan({ planId, preset }: DraftRecord): Promise<void> {
    const { plans, log } = this.#ports;
    await plans.drop(planId, [preset]).catch((error: unknown) => {
      log('warn', 'plan of draft not removed', { error });
    });
  }
}

/** The rendered ranges of a plan. Adjacent ranges are merged. */
function rangesOf({ chunks, rate }: PlanOutline, isThere: (key: string) => boolean): Range<Seconds>[] {
  const ranges: { start: Seconds; end: Seconds }[] = [];
  let isOpen = false;
  for (const { key, start, end } of chunks) {
    if (isThere(key)) {
      if (isOpen) ranges.at(-1)!.end = secondsOf(end, rate);
      else ranges.push({ start: secondsOf(start, rate), end: secondsOf(end, rate) });
    }
    isOpen = isThere(key);
  }
  return ranges;
}

function isUnreachable(error: unknown): boolean {
  return error instanceof ExportError && error.code === 'store.unreachable';
}

function needsReferences(path: string): ExportError {
  const message = 'A draft accepts media only by media_refs. Upload the files first, with PUT /media/<sha256>.';
  return new ExportError('invalid', 'draft.needs_references', message, { path });
}

function tooMany({ maxDrafts }: DraftsPolicy): ExportError {
  const message = `You have ${maxDrafts} drafts, the maximum. Delete one, or wait until it expires.`;
  return new ExportError('invalid', 'draft.too_many', message);
}
