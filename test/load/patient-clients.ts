import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ExportMetadata } from '../../src/http/replies/export-replies.ts';
import { type ExportRequest, type Listening, post } from '../service/export-client.ts';
import { everyLane, requestOf } from './requests.ts';

/** Exports that are not finished: enough to keep every worker busy. */
const MAX_UNFINISHED = 6;
const AGAIN_AFTER_MS = 200;
const TRIES = 600;

/** What clients were promised, and the errors they saw. */
export class LoadLedger {
  readonly kept = new Map<string, ExportMetadata>();
  readonly unfinished = new Set<string>();
  readonly counts = new Map<string, number>();
  readonly faults: string[] = [];
  /** Deletes that were sent and have no response yet. */
  deleting = 0;

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  pick(random: () => number): ExportMetadata | undefined {
    return [...this.kept.values()][Math.floor(random() * this.kept.size)];
  }
}

export interface Load {
  /** Of several nodes, each time another one that listens. */
  readonly service: Listening;
  readonly ledger: LoadLedger;
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/** Creates exports. A create without a response, or with "try again", is retried with the same key, at another node. */
export async function patientCreator({ service, ledger, random, signal }: Load): Promise<void> {
  while (!signal.aborted) {
    await delay(100 + random() * 400);
    if (ledger.unfinished.size >= MAX_UNFINISHED) continue;
    const label = randomUUID();
    const made = await created(service, random() < 0.7 ? everyLane(label, 3) : requestOf(label), ledger);
    if (made === null) continue;
    if (ledger.kept.has(made.export_id)) ledger.faults.push(`${made.export_id} was given out twice`);
    ledger.kept.set(made.export_id, made);
    ledger.unfinished.add(made.export_id);
    ledger.count('accepted');
  }
}

async function created(service: Listening, request: ExportRequest, ledger: LoadLedger): Promise<ExportMetadata | null> {
  const headers = { 'idempotency-key': randomUUID(), prefer: 'respond-async' };
  const reply = await patiently(() => post(service, request, headers), ledger);
  const body = (await reply.json()) as ExportMetadata;
  if (reply.status === 202) return body;
  ledger.faults.push(`a create was answered with ${reply.status} ${JSON.stringify(body)}`);
  return null;
}

/** Checks one export after the other, and downloads finished ones. */
export async function patientReader({ service, ledger, random, signal }: Load): Promise<void> {
  while (!signal.aborted) {
    await delay(50 + random() * 200);
    const entry = ledger.pick(random);
    if (entry === undefined) continue;
    const { export_id: id } = entry;
    const reply = await patiently(() => fetch(`${service.base}/video/exports/${id}`), ledger);
    const { state, outputs, error } = (await reply.json()) as ExportMetadata;
    ledger.count('reads');
    if (!ledger.kept.has(id)) continue; // deleted meanwhile
    if (reply.status !== 200) ledger.faults.push(`lost: ${id} was answered with ${reply.status}`);
    else if (state === 'completed') {
      ledger.unfinished.delete(id);
      await downloaded(service, entry, outputs[entry.settings.preset]!.sha256!, ledger);
    } else if (state === 'failed') {
      ledger.unfinished.delete(id);
      ledger.faults.push(`${id} failed: ${JSON.stringify(error)}`);
      ledger.kept.delete(id);
    }
  }
}

async function downloaded(
  service: Listening,
  { export_id, download_url }: ExportMetadata,
  sha256: string,
  ledger: LoadLedger,
): Promise<void> {
  const reply = await patiently(() => fetch(`${service.base}${download_url}`), ledger);
  const bytes = Buffer.from(await reply.arrayBuffer());
  ledger.count('downloads');
  if (!ledger.kept.has(export_id)) return;
  const found = createHash('sha256').update(bytes).digest('hex');
  if (reply.status !== 200 || found !== sha256) ledger.faults.push(`broken: ${export_id}, ${reply.status}`);
}

/** Deletes one now and then, whatever it is doing. */
export async function patientDeleter(load: Load): Promise<void> {
  const { random, signal } = load;
  while (!signal.aborted) {
    await delay(2_000 + random() * 6_000);
    await deleteAny(load);
  }
}

/** Deletes an export, whatever it is doing; nothing where there is none. */
export async function deleteAny({ service, ledger, random }: Omit<Load, 'signal'>): Promise<void> {
  const id = ledger.pick(random)?.export_id;
  if (id === undefined) return;
  ledger.kept.delete(id);
  ledger.unfinished.delete(id);
  const address = () => `${service.base}/video/exports/${id}`;
  ledger.deleting += 1;
  const reply = await patiently(() => fetch(address(), { method: 'DELETE' }), ledger);
  ledger.deleting -= 1;
  const after = await patiently(() => fetch(address()), ledger);
  // If the first response was lost, the export is gone already.
  if ((reply.status !== 204 && reply.status !== 404) || after.status !== 404) {
    ledger.faults.push(`deleting ${id} was answered with ${reply.status}, then ${after.status}`);
  }
  ledger.count('deleted');
}

/** Retries until a complete response comes, other than "try again". */
async function patiently(ask: () => Promise<Response>, ledger: LoadLedger): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    try {
      const reply = await ask();
      // A node that is killed breaks off in the middle of a body, too.
      const body = await reply.arrayBuffer();
      if (reply.status !== 503 || tries >= TRIES) {
        return new Response(body.byteLength === 0 ? null : body, { status: reply.status });
      }
    } catch (error) {
      if (tries >= TRIES) throw error;
    }
    ledger.count('asked again');
    await delay(AGAIN_AFTER_MS);
  }
}
