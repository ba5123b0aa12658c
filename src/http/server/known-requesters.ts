import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ExportError } from '../../errors.ts';
import type { HttpConfig } from './http-config.ts';

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

type Requesters = Pick<HttpConfig, 'apiKeys' | 'corsOrigins' | 'hosts'>;

/**
 * Keeps other people's pages from using the service through a browser that can reach it. (C50)
 *
 * A page of another origin may not change anything. Where no key proves who asks, a name that is not ours is refused too:
 * a page whose own name suddenly leads to this machine would otherwise count as ours (DNS rebinding).
 */
export function refuseStrangers(app: FastifyInstance, config: Requesters): void {
  app.addHook('onRequest', async (request) => {
    if (config.apiKeys.length === 0 && request.routeOptions.config.anyHost !== true) {
      requireKnownHost(request.headers.host, config.hosts);
    }
    if (!READING.has(request.method)) requireOwnPage(request, config);
  });
}

/** IP literals pass: nobody can make a name of them. */
function requireKnownHost(host: string | undefined, known: readonly string[]): void {
  const name = nameOf(host);
  if (name === null || name === 'localhost' || name.endsWith('.localhost') || known.includes(name)) return;
  const message = 'The Host header names this service in a way it does not know; TIERCUT_HOSTS lists its names.';
  throw new ExportError('invalid', 'request.unknown_host', message);
}

function requireOwnPage(request: FastifyRequest, { corsOrigins, hosts }: Requesters): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  const sentBy = origin ?? null;
  // Under our own policy of sending no referrer, browsers write "null" for a form of our own page.
  const isOurs = sentBy === null ? site !== 'cross-site' : sentBy === 'null' && site === 'same-origin';
  if (isOurs || corsOrigins.includes('*') || (sentBy !== null && corsOrigins.includes(sentBy))) return;
  if (sentBy !== null && isOwnOrigin(sentBy, request, hosts)) return;
  const message = 'This came from a page of another origin, and changes something; TIERCUT_CORS_ORIGINS lists who may.';
  throw new ExportError('invalid', 'request.cross_site', message);
}

/** By host and port, not by scheme: that is the proxy's affair. */
function isOwnOrigin(origin: string, request: FastifyRequest, known: readonly string[]): boolean {
  const sender = URL.parse(origin);
  if (sender === null) return false;
  const own = [request.headers.host, request.host].map((host) => URL.parse(`${sender.protocol}//${host}`)?.host);
  return own.includes(sender.host) || known.includes(sender.hostname);
}

/** The name in a `Host` header, without its port; null where there is none, or an address instead. */
function nameOf(host: string | undefined): string | null {
  if (host === undefined || host === '' || host.startsWith('[')) return null;
  const name = host.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase();
  return isIP(name) === 0 ? name : null;
}
