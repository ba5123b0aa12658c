import { isIP } from 'node:net';
import { shownText } from '../timeline/json/shown-value.ts';
import { isPublicAddress } from './public-address.ts';

const LONGEST = 2048;
/** Lower ports belong to mail, shells and name servers; the two of the web are exceptions. */
const FIRST_FREE_PORT = 1024;
const WEB_PORTS: readonly string[] = ['', '80', '443'];

/**
 * Parses an address that a client sends the service to: an absolute HTTPS address without credentials. Deployments can
 * allow plain HTTP, private addresses and any port. Names are checked when they are resolved, right before each
 * connection. (C37)
 *
 * @returns the reason of a refusal, as the end of a sentence.
 */
export function readAddress(text: string, allowPrivate: boolean): URL | string {
  const allowed = allowPrivate ? 'HTTP or HTTPS address' : 'HTTPS address on the public internet';
  const refused = (why: string) => `must be an absolute ${allowed}; ${shownText(text)} ${why}.`;
  if (text.length > LONGEST) return refused(`has more than ${LONGEST} characters`);
  const url = URL.parse(text);
  if (url === null) return refused('is no address');
  const schemes = allowPrivate ? ['https:', 'http:'] : ['https:'];
  if (!schemes.includes(url.protocol)) return refused(`begins with ${shownText(url.protocol)}`);
  if (url.username !== '' || url.password !== '') return refused('carries credentials');
  if (allowPrivate) return url;
  const literal = hostOf(url);
  if (isIP(literal) !== 0 && !isPublicAddress(literal)) return refused('is not public');
  if (!WEB_PORTS.includes(url.port) && Number(url.port) < FIRST_FREE_PORT) return refused(`names port ${url.port}`);
  return url;
}

/** The name or the IP address without brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}
