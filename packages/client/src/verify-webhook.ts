import { TiercutError } from './tiercut-error.ts';
import type { Batch, CallbackEvent, Export } from './wire-types.ts';

/** The body of a webhook: of an export, or of a batch. */
export type WebhookEvent = ExportWebhookEvent | BatchWebhookEvent;

/** The last row of a batch has ended. */
export interface BatchWebhookEvent {
  readonly type: 'batch.completed';
  /** When the event happened. */
  readonly timestamp: string;
  readonly data: Batch;
}

/** After a cancellation `data` has only `ok`, `export_id`, `external_id` and `state`. */
export interface ExportWebhookEvent {
  readonly type: Exclude<CallbackEvent, 'batch.completed'>;
  /** When the event happened. */
  readonly timestamp: string;
  /** Of an event of one preset. */
  readonly preset?: string;
  /** The number of a short. */
  readonly short?: number;
  readonly data: Pick<Export, 'ok' | 'export_id' | 'external_id' | 'state'> & Partial<Export>;
}

/** The headers of a request, as `fetch`, Node or a framework has them. */
type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;
const TOLERANCE_SECONDS = 300;

/**
 * The event of a webhook, after its signature and its age are checked as Standard Webhooks says.
 *
 * @param body the bytes or the text as they came: JSON that was parsed and written again has another signature.
 * @param secret `whsec_…`; several during a change of the secret.
 * @param options.toleranceSeconds how much the clocks may differ; 300 if absent.
 * @throws TiercutError `client.signature` if it was not signed with the secret, or is too old.
 */
export async function verifyWebhook(
  headers: WebhookHeaders,
  body: string | Uint8Array<ArrayBuffer>,
  secret: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS }: { readonly toleranceSeconds?: number } = {},
): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  if (id === undefined || timestamp === undefined || signatures === undefined)
    throw untrusted('The request has no webhook-id, webhook-timestamp or webhook-signature.');
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(age <= toleranceSeconds)) throw untrusted(`The webhook-timestamp ${timestamp} is not of the last minutes.`);
  const text = new TextEncoder();
  const bytes = typeof body === 'string' ? text.encode(body) : body;
  const head = text.encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(head.length + bytes.length);
  signed.set(head);
  signed.set(bytes, head.length);
  for (const key of [secret].flat().map(keyOf)) {
    const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    for (const signature of signatures.split(' ')) {
      const sent = signature.startsWith('v1,') ? decoded(signature.slice('v1,'.length)) : null;
      // `verify` takes the same time for every wrong signature.
      if (sent !== null && (await crypto.subtle.verify('HMAC', imported, sent, signed)))
        return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
    }
  }
  throw untrusted('No signature of the request was made with this secret.');
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'object' ? found[0] : found;
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const key = decoded(SECRET.exec(secret)?.[1] ?? '');
  if (key === null || key.length === 0)
    throw new TiercutError('client.usage', 'A webhook secret is whsec_ and base64, as "tiercut secret" prints it.');
  return key;
}

function decoded(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}

function untrusted(message: string): TiercutError {
  return new TiercutError('client.signature', message);
}
