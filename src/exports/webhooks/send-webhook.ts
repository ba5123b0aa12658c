import { connectionFault, guardedRequest, type Resolver } from '../../outbound/guarded-request.ts';
import { responseTo } from '../../outbound/guarded-response.ts';
import { FirstSignal } from '../../platform/signals.ts';

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
