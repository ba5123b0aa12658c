import { createHmac } from 'node:crypto';
import { connectionFault, guardedRequest, type Resolver } from '../../outbound/guarded-request.ts';
import { responseTo } from '../../outbound/guarded-response.ts';
import { FirstSignal } from '../../platform/signals.ts';
import type { ExportEvent, ExportRecord } from '../../store/records/export-record.ts';
import { webhookSecretBytes } from '../../store/webhook-secret.ts';

/** For a whole delivery, from the DNS lookup to the last byte of the response. */
const TIMEOUT_MS = 20_000;
/** Only the status counts. */
const MAX_RESPONSE_BYTES = 8 * 1024;

/** The result of one try. */
export type WebhookOutcome =
  | { readonly delivered: true; readonly status: number }
  | { readonly delivered: false; readonly status: number | null; readonly reason: string; readonly final: boolean };

/** What a delivery needs besides the message. */
interface DeliveryOptions {
  readonly allowPrivate: boolean;
  readonly signal: AbortSignal;
  readonly resolve?: Resolver | undefined;
  readonly timeoutMs?: number | undefined;
  /** The time that a name has to resolve to public addresses. */
  readonly nameMs?: number | undefined;
}

/** Posts a message once, to a checked address. When it resolves, the connection is closed. (C37) */
export async function sendWebhook(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  { allowPrivate, signal, resolve, timeoutMs = TIMEOUT_MS, nameMs }: DeliveryOptions,
): Promise<WebhookOutcome> {
  using end = new FirstSignal(signal, AbortSignal.timeout(timeoutMs));
  const request = await guardedRequest(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    allowPrivate,
    signal: end.signal,
    resolve,
    nameMs,
  });
  if ('refused' in request) {
    return { delivered: false, status: null, reason: request.refused, final: request.retry === 'never' };
  }
  try {
    const response = await responseTo(request.end(body));
    await response.finish(MAX_RESPONSE_BYTES);
    return outcomeOf(response.status);
  } catch (error) {
    return { delivered: false, status: null, reason: connectionFault(error as Error), final: false };
  } finally {
    request.destroy();
  }
}

function outcomeOf(status: number): WebhookOutcome {
  if (status >= 200 && status < 300) return { delivered: true, status };
  // With 410 a receiver says that it wants no more events.
  return { delivered: false, status, reason: `the receiver responded ${status}`, final: status === 410 };
}

/** The secrets that sign webhooks. */
export interface WebhookSecrets {
  /** For tenants without a secret of their own. */
  readonly webhookSecret: string | null;
  /** Secrets of single tenants; two of one during a rotation. (C41) */
  readonly webhookSecrets: readonly { readonly tenant: string; readonly secret: string }[];
}

/** The secrets of a tenant: its own, else the common one, else none. */
export function secretsOf(tenant: string, { webhookSecret, webhookSecrets }: WebhookSecrets): string[] {
  const own = webhookSecrets.filter((entry) => entry.tenant === tenant).map(({ secret }) => secret);
  if (own.length > 0) return own;
  return webhookSecret === null ? [] : [webhookSecret];
}

/** Which webhooks are signed, for the log at start and for `/readyz`. (C37) */
export function signingOf({ webhookSecret, webhookSecrets }: WebhookSecrets): string {
  if (webhookSecret !== null) return 'signed';
  if (webhookSecrets.length === 0) return 'unsigned: set TIERCUT_WEBHOOK_SECRET';
  return 'unsigned for tenants that TIERCUT_WEBHOOK_SECRETS does not name';
}

/** One notification, the same for every try. */
export interface WebhookMessage {
  /** Stays the same over retries, so that a receiver can detect duplicates. */
  readonly id: string;
  readonly body: string;
}

/** The message of an event, with the metadata as `data` and, for receivers of 1.x, at the top level. (C68) */
export function webhookMessage(
  { outputs }: Pick<ExportRecord, 'outputs'>,
  { id, type, preset, atMs }: ExportEvent,
  metadata: object,
): WebhookMessage {
  const short = outputs.find((output) => output.preset === preset)?.short ?? null;
  const subject = short !== null ? { short: short.number } : preset !== null ? { preset } : {};
  const timestamp = new Date(atMs).toISOString();
  return {
    id,
    body: JSON.stringify({ ...metadata, type, timestamp, ...subject, data: metadata }),
  };
}

/** The message that a batch has completed, with its metadata as `data`. (C85) */
export function batchMessage({ id, type, atMs }: ExportEvent, metadata: object): WebhookMessage {
  return { id, body: JSON.stringify({ type, timestamp: new Date(atMs).toISOString(), data: metadata }) };
}

/**
 * The headers of a try at `nowMs`. Signed as Standard Webhooks defines it, once for each secret, so that a receiver
 * needs only one of them; unsigned if there is none. (C37, C41)
 */
export function webhookHeaders(
  message: WebhookMessage,
  secrets: readonly string[],
  nowMs: number,
): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000));
  const headers = { 'content-type': 'application/json', 'webhook-id': message.id, 'webhook-timestamp': timestamp };
  if (secrets.length === 0) return headers;
  const signed = `${message.id}.${timestamp}.${message.body}`;
  const signatures = secrets.map((secret) =>
    createHmac('sha256', webhookSecretBytes(secret)).update(signed).digest('base64'),
  );
  return { ...headers, 'webhook-signature': signatures.map((signature) => `v1,${signature}`).join(' ') };
}
