import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ExportError } from '../../errors.ts';
import { keyRequired, operatorKeyRequired, scopeRequired } from '../replies/problem.ts';
import { isFromOwnPage, isReading } from './cross-origin.ts';
import type { ApiKey, HttpConfig, KeyScope } from './http-config.ts';

/** The tenant of a service without keys. */
export const ONLY_TENANT = 'default';

/** Whose request it is, and what it may do. (C95) */
interface Caller {
  readonly tenant: string;
  readonly scopes: readonly KeyScope[];
}

const USUAL_SCOPES: readonly KeyScope[] = ['read', 'render'];
const ONLY_CALLER: Caller = { tenant: ONLY_TENANT, scopes: ['read', 'render', 'operate'] };

/** A key with what is computed from it. */
interface RingEntry extends Caller {
  readonly key: string;
  readonly digest: Buffer;
  /** Signs sessions. */
  readonly secret: Buffer;
}

/** The keys that are valid now. They can be replaced while requests run. */
export class KeyRing {
  #keys: readonly ApiKey[] = [];
  #entries: readonly RingEntry[] = [];

  constructor(keys: readonly ApiKey[]) {
    this.replace(keys);
  }

  get keys(): readonly ApiKey[] {
    return this.#keys;
  }

  get entries(): readonly RingEntry[] {
    return this.#entries;
  }

  replace(keys: readonly ApiKey[]): void {
    this.#keys = keys;
    this.#entries = keys.map(({ tenant, key, scopes = USUAL_SCOPES }) => {
      const secret = createHmac('sha256', key).update('tiercut session').digest();
      return { tenant, key, scopes, digest: digest(key), secret };
    });
  }
}

/** Finds the caller of a key. */
export class ApiKeys {
  readonly #ring: KeyRing;

  constructor(ring: KeyRing) {
    this.#ring = ring;
  }

  /**
   * The caller of a request: by `Authorization: Bearer <key>` or `X-Api-Key: <key>`; null without a valid key. If no
   * keys are configured, all requests belong to the one default tenant.
   */
  callerOf(headers: IncomingHttpHeaders): Caller | null {
    return this.#ring.entries.length === 0 ? ONLY_CALLER : this.callerOfKey(sentKey(headers));
  }

  /** Compares with every key, so that the time does not show which one was nearly right. */
  callerOfKey(sent: string): Caller | null {
    const given = digest(sent);
    let found: Caller | null = null;
    // Of a key that is listed twice, the first entry counts, as for its sessions.
    for (const entry of this.#ring.entries) if (timingSafeEqual(entry.digest, given)) found ??= entry;
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

/** Under TLS a browser accepts this name only from the exact host, and never over plain HTTP. */
const SECURE_NAME = '__Host-tiercut_session';
const PLAIN_NAME = 'tiercut_session';

/** The token of the session cookie of a request; null without one. */
export function sentSession(request: FastifyRequest, publicUrl: string | null): string | null {
  const wanted = cookieName(request, publicUrl);
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [name, value] = pair.split('=', 2);
    if (name!.trim() === wanted) return value?.trim() ?? '';
  }
  return null;
}

/** The header that sets the session cookie or, with zero seconds, removes it. (C51) */
export function sessionCookie(
  request: FastifyRequest,
  publicUrl: string | null,
  { token, seconds }: { readonly token: string; readonly seconds: number },
): string {
  const secure = isUnderTls(request, publicUrl) ? '; Secure' : '';
  const name = cookieName(request, publicUrl);
  return `${name}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
}

function cookieName(request: FastifyRequest, publicUrl: string | null): string {
  return isUnderTls(request, publicUrl) ? SECURE_NAME : PLAIN_NAME;
}

/** Because a trusted proxy says so, or because the host is that of an HTTPS public address. */
function isUnderTls(request: FastifyRequest, publicUrl: string | null): boolean {
  if (request.protocol === 'https') return true;
  const known = publicUrl === null ? null : new URL(publicUrl);
  return known?.protocol === 'https:' && known.host === request.headers.host?.toLowerCase();
}

/** Sessions that were ended early, known to every process and after a restart. */
export interface EndedSessions {
  add(id: string, expiresAtMs: number): Promise<void>;
  has(id: string): Promise<boolean>;
}

/** The content of a session token. */
interface Session {
  readonly id: string;
  readonly tenant: string;
  readonly scopes: readonly KeyScope[];
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
  readonly #ring: KeyRing;
  readonly #ended: EndedSessions;
  readonly #lifetimeSeconds: number;

  constructor(ring: KeyRing, ended: EndedSessions, lifetimeSeconds: number) {
    this.#ring = ring;
    this.#ended = ended;
    this.#lifetimeSeconds = lifetimeSeconds;
  }

  /** A session for the sender of a valid key. */
  open(key: string): { readonly token: string; readonly session: Session; readonly seconds: number } {
    const { tenant, scopes, secret } = this.#ring.entries.find((entry) => entry.key === key)!;
    const expires = Math.floor(Date.now() / 1000) + this.#lifetimeSeconds;
    const id = randomBytes(16).toString('base64url');
    const token = `${expires}.${id}.${signature(secret, expires, id).toString('base64url')}`;
    return { token, session: { id, tenant, scopes, expiresAtMs: expires * 1000 }, seconds: this.#lifetimeSeconds };
  }

  /** The session of a token; null if it is invalid or has ended. */
  async find(token: string | null): Promise<Session | null> {
    const [, expires, id, sent] = TOKEN.exec(token ?? '') ?? [];
    const expiresAtMs = Number(expires) * 1000;
    if (sent === undefined || id === undefined || expiresAtMs <= Date.now()) return null;
    const given = Buffer.from(sent, 'base64url');
    // Every key is tried, so that the time does not show which one it was.
    const signers = this.#ring.entries.filter(({ secret }) => {
      const own = signature(secret, Number(expires), id);
      return given.length === own.length && timingSafeEqual(given, own);
    });
    const [signer] = signers;
    if (signer === undefined || (await this.#ended.has(id))) return null;
    return { id, tenant: signer.tenant, scopes: signer.scopes, expiresAtMs };
  }

  /** Makes its token invalid. */
  async end({ id, expiresAtMs }: Session): Promise<void> {
    await this.#ended.add(id, expiresAtMs);
  }
}

function signature(secret: Buffer, expires: number, id: string): Buffer {
  return createHmac('sha256', secret).update(`1 ${expires} ${id}`).digest();
}

/**
 * Finds the tenant of a request, and refuses requests that need a key and have none, or one that allows too little.
 * In two steps, with the rate limit in between: guesses count by address, and a valid key counts by tenant, also on
 * routes that need none.
 */
export function identify(app: FastifyInstance, { config, keys, sessions }: IdentifyOptions): void {
  app.decorateRequest('tenant', null);
  app.decorateRequest('exportId', null);
  app.decorateRequest('problem', null);
  app.decorateRequest('isOperator', false);
  app.decorateRequest('refusal', null);
  app.addHook('onRequest', async (request) => {
    const caller = keys.callerOf(request.headers) ?? (await callerBySession(request));
    // A key that can only operate shows nothing of its tenant, on open routes neither.
    request.tenant = caller !== null && maySee(caller) ? caller.tenant : null;
    request.isOperator = isOperator(request, caller, config);
    request.refusal = refusalOf(request, caller);
  });
  app.addHook('preParsing', async ({ refusal, routeOptions }) => {
    if (refusal !== null && !routeOptions.config.open) throw refusalError(refusal);
  });

  /**
   * A key in a header decides, valid or not. A browser sends a cookie for requests of any page, so a cookie allows
   * changes only from our own pages; other origins need a key. (C51)
   */
  async function callerBySession(request: FastifyRequest): Promise<Caller | null> {
    if (sentKey(request.headers) !== '') return null;
    if (!isReading(request) && !isFromOwnPage(request, { ...config, corsOrigins: [] })) return null;
    return sessions.find(sentSession(request, config.publicUrl));
  }
}

type Identified = Pick<HttpConfig, 'apiKeys' | 'metricsKey' | 'hosts' | 'publicUrl'>;

interface IdentifyOptions {
  readonly config: Identified;
  readonly keys: ApiKeys;
  readonly sessions: Sessions;
}

/**
 * Whether the caller is the operator: with the operator's key, with a key of the scope `operate`, or without any keys
 * if none is configured.
 */
function isOperator(
  { headers }: FastifyRequest,
  caller: Caller | null,
  { metricsKey, apiKeys }: Pick<HttpConfig, 'apiKeys' | 'metricsKey'>,
): boolean {
  if (metricsKey !== null && hasKey(headers, metricsKey)) return true;
  if (apiKeys.length === 0) return metricsKey === null;
  return caller?.scopes.includes('operate') === true;
}

/** The tenant of a request to an open route, for a response that is not open. */
export function requiredTenant({ tenant, refusal }: FastifyRequest): string {
  if (tenant === null) throw refusalError(refusal ?? 'key');
  return tenant;
}

function refusalError(refusal: NonNullable<FastifyRequest['refusal']>): ExportError {
  if (refusal === 'key') return keyRequired();
  return refusal === 'operator' ? operatorKeyRequired() : scopeRequired(refusal);
}

function maySee({ scopes }: Caller): boolean {
  return scopes.includes('read') || scopes.includes('render');
}

/** What a request lacks: a key, or a scope of its key; null: nothing. An open route decides by itself where it matters. */
function refusalOf(request: FastifyRequest, caller: Caller | null): FastifyRequest['refusal'] {
  const { routeOptions, is404, isOperator } = request;
  const { operator = false, reads = false } = routeOptions.config;
  if (is404) return null;
  // A tenant's key is not enough: these responses are about all tenants.
  if (operator) return isOperator ? null : 'operator';
  if (caller === null) return 'key';
  if (caller.scopes.includes('render')) return null;
  if (!isReading(request) && !reads) return 'render';
  return maySee(caller) ? null : 'read';
}
