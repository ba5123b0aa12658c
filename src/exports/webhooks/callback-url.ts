import { isIP } from 'node:net';
import { ExportError } from '../../errors.ts';
import { shownText } from '../../timeline/json/shown-value.ts';
import { isPublicAddress } from './public-address.ts';

const LONGEST = 2048;

/**
 * Reads a `callback_url`: an absolute HTTPS address without credentials. Private addresses and plain HTTP are for
 * deployments that allow them; names are judged when they are resolved, right before each delivery. (C37)
 *
 * @throws ExportError `callback.invalid` at `/callback_url`
 */
export function parseCallbackUrl(text: string, allowPrivate: boolean): URL {
  const allowed = allowPrivate ? 'HTTP or HTTPS address' : 'HTTPS address on the public internet';
  const refuse = (why: string): never => {
    const message = `callback_url must be an absolute ${allowed}; ${shownText(text)} ${why}.`;
    throw new ExportError('invalid', 'callback.invalid', message, { path: '/callback_url' });
  };
  if (text.length > LONGEST) refuse(`has more than ${LONGEST} characters`);
  const url = URL.parse(text) ?? refuse('is no address');
  const schemes = allowPrivate ? ['https:', 'http:'] : ['https:'];
  if (!schemes.includes(url.protocol)) refuse(`begins with ${shownText(url.protocol)}`);
  if (url.username !== '' || url.password !== '') refuse('carries credentials');
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  if (!allowPrivate && isIP(literal) !== 0 && !isPublicAddress(literal)) refuse('is not public');
  return url;
}
