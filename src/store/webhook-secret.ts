import { randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const MIN_BYTES = 16;
const MAX_BYTES = 64;

/** Verifiers of Standard Webhooks decode base64, so a secret in another notation would never match. (C37) */
export function isWebhookSecret(given: string): boolean {
  const [, base64] = /^whsec_([A-Za-z0-9+/]{22,86}={0,2})$/.exec(given) ?? [];
  if (base64 === undefined) return false;
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length >= MIN_BYTES && bytes.length <= MAX_BYTES && bytes.toString('base64') === base64;
}

/** A secret that nobody knows yet. */
export function newWebhookSecret(): string {
  return `${PREFIX}${randomBytes(32).toString('base64')}`;
}

/** The bytes that sign. */
export function webhookSecretBytes(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}
