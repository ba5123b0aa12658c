import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ApiKey } from './http-config.ts';

/** Sessions that were ended early, known to every process and after a restart. */
export interface EndedSessions {
  add(id: string, expiresAtMs: number): Promise<void>;
  has(id: string): Promise<boolean>;
}

/** The content of a session token. */
interface Session {
  readonly id: string;
  readonly tenant: string;
  readonly expiresAtMs: number;
}

const TOKEN = /^(\d{1,12})\.([\w-]{22})\.([\w-]{43})$/;

/**
 * Sessions represent a key in a browser, which sends cookies where it cannot send headers (`EventSource`, `<video>`).
 * (C51)
 * An open session is not stored: its token is signed with a secret derived from the key, so it is invalid once the key
 * is removed from the configuration. Only ended sessions are stored, until they would have expired.
 */
export class Sessions {
  readonly #signers: readonly { readonly tenant: string; readonly key: string; readonly secret: Buffer }[];
  readonly #ended: EndedSessions;
  readonly #lifetimeSeconds: number;

  constructor(keys: readonly ApiKey[], ended: EndedSessions, lifetimeSeconds: number) {
    this.#signers = keys.map(({ tenant, key }) => {
      return { tenant, key, secret: createHmac('sha256', key).update('tiercut session').digest() };
    });
    this.#ended = ended;
    this.#lifetimeSeconds = lifetimeSeconds;
  }

  /** A session for the sender of a valid key. */
  open(key: string): { readonly token: string; readonly session: Session; readonly seconds: number } {
    const { tenant, secret } = this.#signers.find((signer) => signer.key === key)!;
    const expires = Math.floor(Date.now() / 1000) + this.#lifetimeSeconds;
    const id = randomBytes(16).toString('base64url');
    const token = `${expires}.${id}.${signature(secret, expires, id).toString('base64url')}`;
    return { token, session: { id, tenant, expiresAtMs: expires * 1000 }, seconds: this.#lifetimeSeconds };
  }

  /** The session of a token; null if it is invalid or has ended. */
  async find(token: string | null): Promise<Session | null> {
    const [, expires, id, sent] = TOKEN.exec(token ?? '') ?? [];
    const expiresAtMs = Number(expires) * 1000;
    if (sent === undefined || id === undefined || expiresAtMs <= Date.now()) return null;
    const given = Buffer.from(sent, 'base64url');
    // Every key is tried, so that the time does not show which one it was.
    const signers = this.#signers.filter(({ secret }) => {
      const own = signature(secret, Number(expires), id);
      return given.length === own.length && timingSafeEqual(given, own);
    });
    const tenant = signers[0]?.tenant;
    if (tenant === undefined || (await this.#ended.has(id))) return null;
    return { id, tenant, expiresAtMs };
  }

  /** Makes its token invalid. */
  async end({ id, expiresAtMs }: Session): Promise<void> {
    await this.#ended.add(id, expiresAtMs);
  }
}

function signature(secret: Buffer, expires: number, id: string): Buffer {
  return createHmac('sha256', secret).update(`1 ${expires} ${id}`).digest();
}
