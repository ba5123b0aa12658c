import type { ExportRecord, Webhook, WebhookEvent } from '../store/records/export-record.ts';

/** Due immediately, independent of the clock. */
const AT_ONCE = 0;

/** The queue with the new events at its end; null if the client subscribed to none of them. (C68) */
export function withEvents(
  { callbackUrl, callbackEvents, webhook }: Pick<ExportRecord, 'callbackUrl' | 'callbackEvents' | 'webhook'>,
  events: readonly WebhookEvent[],
): Webhook | null {
  const wanted = callbackUrl === null ? [] : events.filter(({ type }) => callbackEvents.includes(type));
  if (wanted.length === 0) return null;
  if (webhook.state === 'pending') return { ...webhook, events: [...webhook.events, ...wanted] };
  return { state: 'pending', attempts: 0, dueAtMs: AT_ONCE, events: wanted };
}

/** The result of a try at the first event of the queue. */
export type TryResult =
  | { readonly state: 'pending'; readonly dueAtMs: number }
  /** @property last whether the receiver wants no more events. */
  | { readonly state: 'delivered' | 'given_up'; readonly last: boolean };

/** The queue after a try at its first event. Once that event is settled, the next is due. */
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
