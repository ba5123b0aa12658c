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
    if (!isReading(request) && !isFromOwnPage(request, config)) throw crossSite();
  });
}

/** IP literals pass: nobody can make a name of them. */
function requireKnownHost(host: string | undefined, known: readonly string[]): void {
  const name = nameOf(host);
  if (name === null || name === 'localhost' || name.endsWith('.localhost') || known.includes(name)) return;
  const message = 'The Host header names this service in a way it does not know; TIERCUT_HOSTS lists its names.';
  throw new ExportError('invalid', 'request.unknown_host', message);
}

/** Whether a request changes nothing, by its method. */
export function isReading({ method }: FastifyRequest): boolean {
  return READING.has(method);
}

/** Whether no page asked for it, or one of ours, or one of those that may. */
export function isFromOwnPage(
  request: FastifyRequest,
  { corsOrigins, hosts }: Pick<HttpConfig, 'corsOrigins' | 'hosts'>,
): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  const sentBy = origin ?? null;
  // Under our own policy of sending no referrer, browsers write "null" for a form of our own page.
  const isOurs = sentBy === null ? site !== 'cross-site' : sentBy === 'null' && site === 'same-origin';
  if (isOurs || corsOrigins.includes('*') || (sentBy !== null && corsOrigins.includes(sentBy))) return true;
  return sentBy !== null && isOwnOrigin(sentBy, request, hosts);
}

function crossSite(): ExportError {
  const message = 'This came from a page of another origin, and changes something; TIERCUT_CORS_ORIGINS lists who may.';
  return new ExportError('invalid', 'request.cross_site', message);
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
