import { createHmac } from 'node:crypto';
import type { ExportRecord, WebhookEvent } from '../../store/export-record.ts';

/** One notification, the same for every try. */
export interface WebhookMessage {
  /** Stays the same over retries, so that a receiver can detect duplicates. */
  readonly id: string;
  readonly body: string;
}

/** The message of an event, with the metadata as `data` and, for receivers of 1.x, at the top level. (C68) */
export function webhookMessage(
  { id, outputs }: Pick<ExportRecord, 'id' | 'outputs'>,
  { type, preset, atMs }: WebhookEvent,
  metadata: object,
): WebhookMessage {
  const short = outputs.find((output) => output.preset === preset)?.short ?? null;
  const subject = short !== null ? { short: short.number } : preset !== null ? { preset } : {};
  const timestamp = new Date(atMs).toISOString();
  return {
    id: preset === null ? `${id}.${type.replace('export.', '')}` : `${id}.${type}.${preset}`,
    body: JSON.stringify({ ...metadata, type, timestamp, ...subject, data: metadata }),
  };
}

const SECRET_PREFIX = 'whsec_';

/** The bytes of a secret in the notation of Standard Webhooks: base64 after `whsec_`, or any other text unchanged. */
function secretBytes(secret: string): Buffer {
  return secret.startsWith(SECRET_PREFIX)
    ? Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
    : Buffer.from(secret, 'utf8');
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
  const signatures = secrets.map((secret) => createHmac('sha256', secretBytes(secret)).update(signed).digest('base64'));
  return { ...headers, 'webhook-signature': signatures.map((signature) => `v1,${signature}`).join(' ') };
}
