import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { ExportError } from '../../errors.ts';
import { type ApiKey, ONLY_TENANT } from './http-config.ts';

/** Knows whose key is whose. */
export class ApiKeys {
  readonly #tenants: readonly { readonly tenant: string; readonly digest: Buffer }[];

  constructor(keys: readonly ApiKey[]) {
    this.#tenants = keys.map(({ tenant, key }) => ({ tenant, digest: digest(key) }));
  }

  /**
   * Whose request this is: `Authorization: Bearer <key>` or `X-Api-Key: <key>`.
   *
   * @throws `auth.required` without a key of ours, unless there are no keys at all.
   */
  tenantOf(headers: IncomingHttpHeaders): string {
    if (this.#tenants.length === 0) return ONLY_TENANT;
    const tenant = this.#find(sentKey(headers));
    if (tenant !== null) return tenant;
    const message = 'This needs an API key, sent as "Authorization: Bearer <key>"; the request has none that is known.';
    throw new ExportError('missing', 'auth.required', message);
  }

  /** Looks at every key, always: how long it takes says nothing about which one was nearly right. */
  #find(sent: string): string | null {
    const given = digest(sent);
    let found: string | null = null;
    for (const { tenant, digest: known } of this.#tenants) if (timingSafeEqual(known, given)) found = tenant;
    return found;
  }
}

function sentKey(headers: IncomingHttpHeaders): string {
  const [, bearer] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
  return bearer ?? String(headers['x-api-key'] ?? '');
}

/** Equal lengths for the comparison, whatever was sent. */
function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
