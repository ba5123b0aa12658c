import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ExportMetadata } from '../../src/http/replies/export-replies.ts';
import { everyLane, INVALID } from '../../test/load/requests.ts';
import { type ExportRequest, post } from '../../test/service/export-client.ts';
import type { Client } from './client.ts';
import type { Entry, Ledger } from './ledger.ts';

/** What all clients share. `random` is seeded, so that a run can be repeated, as far as clocks allow. */
export interface Soak {
  /** The client that they act for. */
  readonly client: Client;
  readonly ledger: Ledger;
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/** Enough for the last client to have a queue in front of it. */
const MAX_UNFINISHED = 12;

/** Has exports made, one after the other, of all kinds. */
export async function creator(soak: Soak): Promise<void> {
  const { ledger, random, signal } = soak;
  while (!signal.aborted) {
    if ((await unfinished(soak)) >= MAX_UNFINISHED) {
      await delay(200);
      continue;
    }
    const dice = random();
    if (dice < 0.15) await refused(soak, INVALID[Math.floor(random() * INVALID.length)]!);
    else if (dice < 0.3) await create(soak, everyLane(`Medium ${randomUUID()}`, 12, { width: 1280, height: 720 }));
    else if (dice < 0.4) await create(soak, everyLane('Always the same', 3));
    else if (dice < 0.5) {
      const [key, request] = [randomUUID(), everyLane(`Twice ${randomUUID()}`, 3)];
      await Promise.all([create(soak, request, key), create(soak, request, key)]);
    } else await create(soak, everyLane(`Small ${randomUUID()}`, 3, { fps: random() < 0.5 ? 30 : 25 }));
    ledger.count('creates');
  }
}

/** Has one small export made after the other, and takes the time of each. */
export async function visitor({ client, ledger, random, signal }: Soak): Promise<void> {
  while (!signal.aborted) {
    await delay(500 + random() * 1_000);
    const [key, request] = [randomUUID(), everyLane(`Visit ${randomUUID()}`, 3)];
    const beganMs = performance.now();
    const reply = await post(client.service, request, {
      ...client.headers,
      'idempotency-key': key,
      prefer: 'respond-async',
    });
    const { export_id: id } = (await reply.json()) as ExportMetadata;
    if (reply.status !== 202) continue;
    ledger.accepted(id, key, client);
    // Waits, and is sent round again while it takes longer.
    const video = await client.fetch(`${id}/download/preset_one`, { method: 'HEAD' });
    if (video.status === 200) ledger.waited(client.tenant, (performance.now() - beganMs) / 1000);
  }
}

async function create(
  { client, ledger, random }: Soak,
  request: ExportRequest,
  key: string = randomUUID(),
): Promise<void> {
  const wait = random() < 0.2;
  const headers = { ...client.headers, 'idempotency-key': key, ...(!wait && { prefer: 'respond-async' }) };
  const reply = await post(client.service, request, headers);
  const body = (await reply.json()) as ExportMetadata & Partial<Problem>;
  if (reply.status === 201 || reply.status === 202) return ledger.accepted(body.export_id, key, client);
  const location = reply.headers.get('location');
  // A create that was waited for and failed was accepted all the same.
  if (location !== null) return ledger.accepted(location.split('/').at(-1)!, key, client);
  if (reply.status === 429) return ledger.count('turned away');
  if (isForKilledProbes(body)) return ledger.count('probes killed too often');
  // Deleted by another client while it was waited for.
  if (reply.status === 404 || reply.status === 409) return ledger.count('deleted while awaited');
  ledger.fault(`a create was answered with ${reply.status} ${body.code}`);
}

interface Problem {
  readonly code: string;
  readonly errors: readonly { readonly code: string }[];
}

/** A file whose probe died twice is blamed for it, at each of its entries; a probe that never started is our fault. */
function isForKilledProbes({ code, errors = [] }: Partial<Problem>): boolean {
  if (code === 'render.start_failed') return true;
  return errors.length > 0 && errors.every((error) => error.code === 'media.unreadable');
}

async function refused({ client, ledger }: Soak, request: ExportRequest): Promise<void> {
  const reply = await post(client.service, request, client.headers);
  await reply.text();
  if (reply.status < 400 || reply.status >= 500) ledger.fault(`an invalid request was answered with ${reply.status}`);
  ledger.count('invalid requests');
}

async function unfinished({ client }: Soak): Promise<number> {
  const text = await client.metrics();
  const waiting = /^tiercut_exports\{state="(?:queued|rendering)"\} (\d+)$/gm;
  return [...text.matchAll(waiting)].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Looks at exports all the time. */
export async function reader({ ledger, random, signal }: Soak): Promise<void> {
  while (!signal.aborted) {
    await delay(20 + random() * 100);
    const entry = ledger.pick(random);
    if (entry === undefined) continue;
    const reply = await entry.client.fetch(entry.id);
    await reply.text();
    ledger.count('reads');
    if (reply.status !== 200 && !entry.deleted) ledger.fault(`lost: ${entry.id} was answered with ${reply.status}`);
  }
}

/** Downloads what is there, whole and in part, and compares. */
export async function downloader(soak: Soak): Promise<void> {
  const { ledger, random, signal } = soak;
  while (!signal.aborted) {
    await delay(100 + random() * 400);
    const entry = ledger.pick(random);
    if (entry === undefined) continue;
    const reply = await entry.client.fetch(entry.id);
    if (reply.status !== 200) {
      await reply.text();
      continue;
    }
    const { outputs } = (await reply.json()) as ExportMetadata;
    for (const [preset, { state }] of Object.entries(outputs)) {
      if (
        state === 'completed' &&
        !(await downloads(entry, preset, outputs[preset]!.sha256!, ledger)) &&
        !entry.deleted
      ) {
        ledger.fault(`broken: ${preset} of ${entry.id}`);
      }
    }
  }
}

/** Whether the whole file, and a range from its middle, have the expected bytes. */
export async function downloads(
  { id, client }: Entry,
  preset: string,
  sha256: string,
  ledger: Ledger,
): Promise<boolean> {
  const path = `${id}/download/${preset}`;
  const whole = await client.fetch(path);
  const bytes = Buffer.from(await whole.arrayBuffer());
  ledger.count('downloads');
  if (whole.status !== 200 || createHash('sha256').update(bytes).digest('hex') !== sha256) return false;
  const part = await client.fetch(path, { headers: { range: 'bytes=100-199' } });
  return bytes.subarray(100, 200).equals(Buffer.from(await part.arrayBuffer()));
}

/** Deletes an export now and then, in any state. */
export async function deleter({ ledger, random, signal }: Soak): Promise<void> {
  while (!signal.aborted) {
    await delay(1_000 + random() * 4_000);
    const entry = ledger.pick(random);
    if (entry === undefined) continue;
    entry.deleted = true;
    const reply = await entry.client.fetch(entry.id, { method: 'DELETE' });
    await reply.text();
    const after = await entry.client.fetch(entry.id);
    await after.text();
    if (!reply.ok || after.status !== 404) {
      ledger.fault(`deleting ${entry.id} was answered with ${reply.status}, then ${after.status}`);
    }
    ledger.count('deleted');
  }
}
