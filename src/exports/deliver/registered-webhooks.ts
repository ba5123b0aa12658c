import { ExportError } from '../../errors.ts';
import { readAddress } from '../../outbound/read-address.ts';
import type { Database } from '../../store/database.ts';
import type { EventRecords } from '../../store/records/event-records.ts';
import type { CallbackEvent } from '../../store/records/export-record.ts';
import type { RegisteredWebhook, WebhookRecords } from '../../store/records/webhook-records.ts';
import { isWebhookSecret, newWebhookSecret } from '../../store/webhook-secret.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import { pointer } from '../../timeline/json/json-pointer.ts';
import { shownText, shownValue } from '../../timeline/json/shown-value.ts';
import { BOTH_SIGN_MS, MAX_WEBHOOKS, type WebhooksApi, type WebhookView } from '../api/webhooks-api.ts';
import { chosenEvents, UNLESS_CHOSEN } from '../submit/form-faults.ts';

interface RegisteredWebhooksPorts {
  readonly database: Database;
  readonly hooks: WebhookRecords;
  readonly events: Pick<EventRecords, 'dropAllWaiting'>;
  readonly policy: { readonly allowPrivateCallbacks: boolean };
  readonly now: () => number;
}

/** The webhooks that tenants register, beside the `callback_url` of single exports. (C96) */
export class RegisteredWebhooks implements WebhooksApi {
  readonly #ports: RegisteredWebhooksPorts;

  constructor(ports: RegisteredWebhooksPorts) {
    this.#ports = ports;
  }

  async list(tenant: string): Promise<readonly WebhookView[]> {
    const { hooks, database, now } = this.#ports;
    const nowMs = now();
    return (await hooks.list(tenant, database)).map((webhook) => viewOf(webhook, nowMs));
  }

  async find(tenant: string, name: string): Promise<WebhookView | null> {
    const { hooks, database, now } = this.#ports;
    const found = await hooks.find(tenant, name, database);
    return found && viewOf(found, now());
  }

  async put(tenant: string, name: string, settings: Readonly<Record<string, unknown>>): ReturnType<WebhooksApi['put']> {
    const { hooks, events, database, policy, now } = this.#ports;
    const { secret, ...sent } = readSettings(settings, policy.allowPrivateCallbacks);
    const nowMs = now();
    const made = newWebhookSecret();
    return database.transaction(
      async (tx) => {
        const all = await hooks.list(tenant, tx);
        const before = all.find((webhook) => webhook.name === name);
        if (before === undefined && all.length >= MAX_WEBHOOKS) throw tooMany();
        const known = secret ?? before?.secret;
        const times = { createdAtMs: before?.createdAtMs ?? nowMs, changedAtMs: nowMs };
        const secrets = { secret: known ?? made, oldSecret: oldSecretOf(before, known, nowMs) };
        const webhook = { name, ...sent, ...secrets, disabledReason: null, ...times };
        await hooks.put(tenant, webhook, tx);
        if (!webhook.enabled) await events.dropAllWaiting(tenant, name, tx);
        return {
          webhook: viewOf(webhook, nowMs),
          secret: known === undefined ? made : null,
          isNew: before === undefined,
        };
      },
      { lockTenant: tenant },
    );
  }

  async remove(tenant: string, name: string): Promise<boolean> {
    const { hooks, events, database } = this.#ports;
    return database.transaction(
      async (tx) => {
        if (!(await hooks.remove(tenant, name, tx))) return false;
        // A job that is left finds nothing to send.
        await events.dropAllWaiting(tenant, name, tx);
        return true;
      },
      { lockTenant: tenant },
    );
  }
}

function viewOf({ secret: _, oldSecret, ...view }: RegisteredWebhook, nowMs: number): WebhookView {
  return { ...view, oldSecretUntilMs: oldSecret !== null && oldSecret.untilMs > nowMs ? oldSecret.untilMs : null };
}

/** Which secret signs beside the new one: the one that it replaces, for a day. */
function oldSecretOf(
  before: RegisteredWebhook | undefined,
  secret: string | undefined,
  nowMs: number,
): RegisteredWebhook['oldSecret'] {
  if (before === undefined || before.secret === secret) return before?.oldSecret ?? null;
  return { secret: before.secret, untilMs: nowMs + BOTH_SIGN_MS };
}

/** The secrets that sign now. */
export function signingSecrets({ secret, oldSecret }: RegisteredWebhook, nowMs: number): string[] {
  return oldSecret !== null && oldSecret.untilMs > nowMs ? [secret, oldSecret.secret] : [secret];
}

const MEMBERS = ['url', 'events', 'secret', 'enabled'] as const;

/** @throws ExportError with all errors, each at its member. */
function readSettings(
  settings: Readonly<Record<string, unknown>>,
  allowPrivate: boolean,
): Pick<RegisteredWebhook, 'url' | 'events' | 'enabled'> & { readonly secret: string | null } {
  const issues = new IssueList();
  for (const name of Object.keys(settings)) {
    if (MEMBERS.some((known) => known === name)) continue;
    const message = `${shownText(name)} is unknown.${issues.hint(name, MEMBERS)}`;
    issues.error(pointer('', name.slice(0, 100)), 'field.unknown', message);
  }
  const { url, events, secret, enabled = true } = settings;
  if (typeof url !== 'string') {
    const message = `url must be a text, the address of the receiver, not ${shownValue(url)}.`;
    issues.error('/url', url === undefined ? 'field.required' : 'field.type', message);
  } else {
    const address = readAddress(url, allowPrivate);
    if (typeof address === 'string') issues.error('/url', 'callback.invalid', `url ${address}`);
  }
  let chosen: readonly CallbackEvent[] = UNLESS_CHOSEN;
  if (events !== undefined) issues.collect(() => (chosen = chosenEvents(events, 'events')));
  if (secret !== undefined && !(typeof secret === 'string' && isWebhookSecret(secret))) {
    // Never shows what may be a secret.
    const message = 'secret must be whsec_ and the base64 of 16 to 64 bytes; `tiercut secret` prints one.';
    issues.error('/secret', 'field.format', message);
  }
  if (typeof enabled !== 'boolean')
    issues.error('/enabled', 'field.type', `enabled must be true or false, not ${shownValue(enabled)}.`);
  issues.throwIfFailed();
  return { url: url as string, events: chosen, enabled: enabled as boolean, secret: (secret as string) ?? null };
}

function tooMany(): ExportError {
  const message = `You have ${MAX_WEBHOOKS} registered webhooks, the maximum. Delete one.`;
  return new ExportError('invalid', 'webhook.too_many', message);
}
