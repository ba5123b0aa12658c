import type { ExportRecord, Webhook, WebhookEvent } from '../store/export-record.ts';

/** Due whatever the clock says. */
const AT_ONCE = 0;

/** The queue with what happened behind what waits already; null where the client has not asked for any of it. (C68) */
export function withEvents(
  { callbackUrl, callbackEvents, webhook }: Pick<ExportRecord, 'callbackUrl' | 'callbackEvents' | 'webhook'>,
  events: readonly WebhookEvent[],
): Webhook | null {
  const wanted = callbackUrl === null ? [] : events.filter(({ type }) => callbackEvents.includes(type));
  if (wanted.length === 0) return null;
  if (webhook.state === 'pending') return { ...webhook, events: [...webhook.events, ...wanted] };
  return { state: 'pending', attempts: 0, dueAtMs: AT_ONCE, events: wanted };
}

/** What became of a try at the first event of the queue. */
export type TryResult =
  | { readonly state: 'pending'; readonly dueAtMs: number }
  /** @property last nothing more is wanted. */
  | { readonly state: 'delivered' | 'given_up'; readonly last: boolean };

/** The queue after a try at its first event. Once that is settled, the next is due. */
export function afterTry({ attempts, events }: Webhook, result: TryResult): Webhook {
  const tried = attempts + 1;
  if (result.state === 'pending') return { ...result, attempts: tried, events };
  const [settled, ...waiting] = events;
  if (result.last || waiting.length === 0)
    return { state: result.state, attempts: tried, dueAtMs: null, events: settled === undefined ? [] : [settled] };
  return { state: 'pending', attempts: 0, dueAtMs: AT_ONCE, events: waiting };
}

export function isSameEvent(one: WebhookEvent | undefined, other: WebhookEvent): boolean {
  return one?.type === other.type && one.preset === other.preset;
}
