import {
  connectionFault,
  guardedRequest,
  type Resolver,
  readToTheEnd,
  responseTo,
} from '../../outbound/guarded-request.ts';
import { FirstSignal } from '../../platform/first-signal.ts';

/** For a whole delivery, from the DNS lookup to the last byte of the response. */
const TIMEOUT_MS = 20_000;

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
}

/** Posts a message once, to a checked address. When it resolves, the connection is closed. (C37) */
export async function sendWebhook(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  { allowPrivate, signal, resolve, timeoutMs = TIMEOUT_MS }: DeliveryOptions,
): Promise<WebhookOutcome> {
  using end = new FirstSignal(signal, AbortSignal.timeout(timeoutMs));
  const request = await guardedRequest(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    allowPrivate,
    signal: end.signal,
    resolve,
  });
  if ('refused' in request) return { delivered: false, status: null, reason: request.refused, final: request.final };
  try {
    const response = await responseTo(request.end(body));
    await readToTheEnd(response);
    return outcomeOf(response.statusCode ?? 0);
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
