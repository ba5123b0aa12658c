import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { ApiKey } from './http-config.ts';

/** The tenant of a service without keys. */
export const ONLY_TENANT = 'default';

/** Finds the tenant of a key. */
export class ApiKeys {
  readonly #tenants: readonly { readonly tenant: string; readonly digest: Buffer }[];

  constructor(keys: readonly ApiKey[]) {
    this.#tenants = keys.map(({ tenant, key }) => ({ tenant, digest: digest(key) }));
  }

  /**
   * The tenant of a request: by `Authorization: Bearer <key>` or `X-Api-Key: <key>`; null without a valid key. If no
   * keys are configured, all requests belong to the one default tenant.
   */
  tenantOf(headers: IncomingHttpHeaders): string | null {
    return this.#tenants.length === 0 ? ONLY_TENANT : this.tenantOfKey(sentKey(headers));
  }

  /** Compares with every key, so that the time does not show which one was nearly right. */
  tenantOfKey(sent: string): string | null {
    const given = digest(sent);
    let found: string | null = null;
    for (const { tenant, digest: known } of this.#tenants) if (timingSafeEqual(known, given)) found = tenant;
    return found;
  }
}

/** Whether this key was sent. */
export function hasKey(headers: IncomingHttpHeaders, key: string): boolean {
  return timingSafeEqual(digest(sentKey(headers)), digest(key));
}

/** The key in the headers; empty without one. */
export function sentKey(headers: IncomingHttpHeaders): string {
  const [, bearer] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
  return bearer ?? String(headers['x-api-key'] ?? '');
}

/** Hashed, so that the compared values have equal lengths. */
function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
