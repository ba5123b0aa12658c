import type { WebhookView } from '../../exports/api/webhooks-api.ts';
import { CALLBACK_EVENT } from './event-replies.ts';
import { flag, iso, isoOrNull, list, moment, nullable, object, of, optional, SUCCEEDED, text } from './schema.ts';

const FIELDS = of<WebhookView>().fields({
  name: [text('The name in the address.'), ({ name }) => name],
  url: [text('Where the events go.', { format: 'uri' }), ({ url }) => url],
  events: [list(CALLBACK_EVENT, 'The events that it receives.'), ({ events }) => events],
  enabled: [flag('Whether events are sent to it.'), ({ enabled }) => enabled],
  disabled_reason: [
    nullable(text('Why the service disabled it; null if it did not.')),
    ({ disabledReason }) => disabledReason,
  ],
  created_at: [moment('When it was registered.'), ({ createdAtMs }) => iso(createdAtMs)],
  old_secret_until: [
    nullable(moment('Until when the secret before the last change signs as well; null if it does not.')),
    ({ oldSecretUntilMs }) => isoOrNull(oldSecretUntilMs),
  ],
  changed_at: [moment('When it was last changed.'), ({ changedAtMs }) => iso(changedAtMs)],
});

const LISTED = of<WebhookView>().named('ListedWebhook', 'A registered webhook.', FIELDS);

/** A registered webhook. (C96) */
export const WEBHOOK = of<WebhookView & { readonly secret: string | null }>().named(
  'Webhook',
  'A registered webhook. Its secret is shown only when the service makes it.',
  {
    ok: SUCCEEDED,
    ...FIELDS,
    secret: [
      optional(text('The secret that signs its messages. Only in the response of the `PUT` that made it.')),
      ({ secret }) => secret ?? undefined,
    ],
  },
);

export const WEBHOOK_LIST = of<readonly WebhookView[]>().named('WebhookList', 'Your registered webhooks.', {
  ok: SUCCEEDED,
  webhooks: [list(LISTED, 'By name.'), (webhooks) => webhooks.map((webhook) => LISTED.write(webhook))],
});

/** The body of a `PUT`. */
export const WEBHOOK_SETTINGS = object<{
  readonly url: string;
  readonly events: readonly WebhookView['events'][number][] | undefined;
  readonly secret: string | undefined;
  readonly enabled: boolean | undefined;
}>(
  {
    url: text('A public HTTPS address.', { format: 'uri', maxLength: 2048 }),
    events: optional(list(CALLBACK_EVENT, 'The events that it receives; the first three if absent.')),
    secret: optional(
      text(
        '`whsec_` and the base64 of 16 to 64 bytes. If absent, the secret stays; for a new webhook one is made. After a change, both secrets sign for 24 hours.',
        {
          pattern: '^whsec_[A-Za-z0-9+/]{22,86}={0,2}$',
        },
      ),
    ),
    enabled: optional(flag('Whether events are sent to it; true if absent.')),
  },
  { name: 'WebhookSettings', description: 'Where events go, and which.' },
);
