import { createHmac } from 'node:crypto';

/** One notification, the same for every try at delivering it. */
export interface WebhookMessage {
  /** Stays the same over retries, so that a receiver can tell them from news. */
  readonly id: string;
  readonly body: string;
}

const SECRET_PREFIX = 'whsec_';

/** The bytes of a secret as Standard Webhooks writes them: base64 behind `whsec_`, or any other text as it is. */
export function secretBytes(secret: string): Buffer {
  return secret.startsWith(SECRET_PREFIX)
    ? Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
    : Buffer.from(secret, 'utf8');
}

/** The headers of a try at `nowMs`, signed as Standard Webhooks says; unsigned where there is no secret. (C37) */
export function webhookHeaders(message: WebhookMessage, secret: string | null, nowMs: number): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000));
  const headers = { 'content-type': 'application/json', 'webhook-id': message.id, 'webhook-timestamp': timestamp };
  if (secret === null) return headers;
  const signed = createHmac('sha256', secretBytes(secret)).update(`${message.id}.${timestamp}.${message.body}`);
  return { ...headers, 'webhook-signature': `v1,${signed.digest('base64')}` };
}
