import { isTerminal } from '../../store/export-state.ts';
import type { ExportsContext } from '../exports-context.ts';
import { LONGEST_PAUSE_MS, nextTryInMs } from './retry-schedule.ts';
import { type Resolver, sendWebhook } from './send-webhook.ts';
import { webhookHeaders } from './webhook-message.ts';

/** The metadata as it goes over the wire; told by whoever knows the wire. */
export type DescribeExport = (id: string) => Promise<object | null>;

/** Tells every client whose time has come. One slow receiver does not hold up the others. (C37) */
export async function deliverWebhooks(
  context: ExportsContext,
  describe: DescribeExport,
  signal: AbortSignal,
  resolve?: Resolver,
): Promise<void> {
  const now = context.now();
  const due = await context.records.listWebhooksDue(now, context.database, now + LONGEST_PAUSE_MS);
  await Promise.all(due.map((id) => deliver(id, context, describe, signal, resolve)));
}

async function deliver(
  id: string,
  context: ExportsContext,
  describe: DescribeExport,
  signal: AbortSignal,
  resolve: Resolver | undefined,
): Promise<void> {
  const { records, database, policy, now, log } = context;
  const record = await records.find(id, database);
  if (record?.callbackUrl == null || !isTerminal(record.state)) return;
  const metadata = (await describe(id)) ?? { ok: false, export_id: id, state: record.state };
  const message = { id: `${id}.${record.state}`, body: JSON.stringify(metadata) };
  const headers = webhookHeaders(message, policy.webhookSecret, now());
  const options = { allowPrivate: policy.allowPrivateCallbacks, signal, ...(resolve && { resolve }) };
  const outcome = await sendWebhook(new URL(record.callbackUrl), headers, message.body, options);
  if (signal.aborted) return;
  const attempts = record.webhook.attempts + 1;
  const pauseMs = outcome.delivered || outcome.final ? null : nextTryInMs(attempts);
  log('info', 'a webhook was tried', { exportId: id, attempts, outcome });
  const state = outcome.delivered ? 'delivered' : pauseMs === null ? 'given_up' : 'pending';
  const dueAtMs = pauseMs === null ? null : now() + pauseMs;
  await database.transaction((tx) => records.setWebhook(id, { state, attempts, dueAtMs }, tx));
}
