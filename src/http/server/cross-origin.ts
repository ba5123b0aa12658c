import { isIP } from 'node:net';
import cors from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ExportError } from '../../errors.ts';
import type { HttpConfig } from './http-config.ts';

/** Headers of every response. A page adds what it needs with PAGE_POLICY. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'permissions-policy': 'camera=(), microphone=(), display-capture=()',
};

/** The studio records takes; embedded content may not. */
export const STUDIO_PERMISSIONS = 'camera=(self), microphone=(self), display-capture=(self)';

/** The policy of our pages: load and play from this origin only, nothing inline. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The studio starts workers and loads fonts. No text becomes script in it, except the addresses that its one Trusted
 * Types policy accepts.
 */
export const STUDIO_POLICY = [
  PAGE_POLICY,
  "font-src 'self'",
  "worker-src 'self'",
  "require-trusted-types-for 'script'",
  'trusted-types studio',
].join('; ');

/** The workers that draw SVGs, convert pictures and encode sound run WebAssembly programs; nothing else may. */
export const PROGRAM_POLICY = STUDIO_POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'");

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

type Requesters = Pick<HttpConfig, 'apiKeys' | 'corsOrigins' | 'hosts' | 'publicUrl'>;

/**
 * Prevents pages of other sites from using the service through a browser that can reach it. (C50)
 * A page of another origin may not change anything. Without keys, unknown host names are refused too: a page whose own
 * name suddenly resolves to this machine would otherwise count as ours (DNS rebinding).
 */
export function refuseCrossSite(app: FastifyInstance, config: Requesters): void {
  app.addHook('onRequest', async (request) => {
    requireOneHost(request.raw.rawHeaders);
    if (config.apiKeys.length === 0 && request.routeOptions.config.anyHost !== true) {
      requireKnownHost(request.headers.host, config.hosts);
    }
    if (!isReading(request) && !isFromOwnPage(request, config)) throw crossSite();
  });
}

/** RFC 9112 3.2: with several, a proxy in front may use another one than we do. */
function requireOneHost(rawHeaders: readonly string[]): void {
  const hosts = rawHeaders.filter((header, n) => n % 2 === 0 && header.toLowerCase() === 'host');
  if (hosts.length <= 1) return;
  throw new ExportError('malformed', 'request.host_repeated', 'The request has more than one Host header.');
}

/** IP literals are accepted, because DNS cannot point them elsewhere. */
function requireKnownHost(host: string | undefined, known: readonly string[]): void {
  const name = nameOf(host);
  if (name === null || name === 'localhost' || name.endsWith('.localhost')) return;
  if (known.some((each) => nameOf(each) === name)) return;
  const message = 'The Host header is not a known name of this service. Add it to TIERCUT_HOSTS.';
  throw new ExportError('invalid', 'request.unknown_host', message);
}

/** Whether a request changes nothing, by its method. */
export function isReading({ method }: FastifyRequest): boolean {
  return READING.has(method);
}

/** Whether the request comes from no page, from one of ours, or from an allowed one. */
export function isFromOwnPage(
  request: FastifyRequest,
  { corsOrigins, hosts, publicUrl }: Pick<HttpConfig, 'corsOrigins' | 'hosts' | 'publicUrl'>,
): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (corsOrigins.includes('*')) return true;
  // Programs send neither header. A page on another port of this host is "same-site", and not ours.
  if (origin === undefined) return site === undefined || site === 'same-origin' || site === 'none';
  // Because our policy sends no referrer, browsers write "null" for a form of our own page.
  if (origin === 'null') return site === 'same-origin';
  return corsOrigins.includes(origin) || ownOrigins(request, hosts, publicUrl).includes(origin);
}

/**
 * The origins of our own pages: scheme, host and port. Behind a trusted proxy, scheme and host are those of the proxy's
 * request; the names in `hosts` include their port unless it is the scheme's default.
 */
function ownOrigins(request: FastifyRequest, hosts: readonly string[], publicUrl: string | null): string[] {
  if (publicUrl !== null) return [new URL(publicUrl).origin];
  const names = [request.headers.host, request.host, ...hosts].filter((host) => host !== undefined);
  return names.flatMap((host) => URL.parse(`${request.protocol}://${host}`)?.origin ?? []);
}

function crossSite(): ExportError {
  const message =
    'A page of another origin sent this request. TIERCUT_CORS_ORIGINS lists the origins that can change something.';
  return new ExportError('invalid', 'request.cross_site', message);
}

/** The name in a `Host` header, without its port; null if it is missing or an IP address. */
function nameOf(host: string | undefined): string | null {
  if (host === undefined || host === '' || host.startsWith('[')) return null;
  const name = host.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase();
  return isIP(name) === 0 ? name : null;
}

/** Additional request headers that a page may send. */
const SENT = [
  'Accept',
  'Authorization',
  'Content-Range',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'If-Range',
  'Last-Event-ID',
  'Mcp-Protocol-Version',
  'Mcp-Session-Id',
  'Prefer',
  'Range',
  'X-Api-Key',
];

/** Additional response headers that a page may read. */
const EXPOSED_HEADERS = [
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Location',
  'Content-Range',
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'Mcp-Session-Id',
  'Preference-Applied',
  'Retry-After',
  'Tiercut-Frame',
  'Tiercut-Frames',
  'Tiercut-Time',
  'Tiercut-Warnings',
  'Upload-Length',
  'Upload-Offset',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
];

/** Lets pages of these origins (`*`: of any) use the API as other programs do (CORS). */
export async function allowCrossOrigin(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  await app.register(cors, {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: SENT,
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: 600,
  });
}
