import type { ExportError } from '../../errors.ts';
import type { Transaction } from '../../store/database.ts';
import type { RecordedError } from '../../store/export-record.ts';
import type { ExportsContext } from '../exports-context.ts';

/** What the deliverer of webhooks listens to in the hub. No export is called that. */
export const WEBHOOKS = 'webhooks';

/** Due whatever the clock says. */
const AT_ONCE = 0;

/** Ends an export well, badly or by request: from now on its retention runs, and whoever asked for it is told. (C35, C37) */
export async function finishExport(
  id: string,
  how: 'completed' | 'cancelled' | { readonly error: RecordedError },
  { records, now, policy, changes }: ExportsContext,
  tx: Transaction,
): Promise<void> {
  if (typeof how === 'string') await records.setState(id, how, tx);
  else await records.fail(id, how.error, tx);
  await records.setExpiry(id, now() + policy.retentionMs, tx);
  const record = await records.find(id, tx);
  if (record?.callbackUrl == null) return;
  await records.setWebhook(id, { state: 'pending', attempts: 0, dueAtMs: AT_ONCE }, tx);
  changes.notify(WEBHOOKS);
}

/** An error as it is kept: what the client may read, nothing else. (C32) */
export function recordedError({ kind, code, message, issues }: ExportError): RecordedError {
  return { kind, code, message, issues };
}
