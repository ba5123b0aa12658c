import { ExportError } from '../../errors.ts';
import { readAddress } from '../../outbound/read-address.ts';

/**
 * Reads a `callback_url`. (C37)
 *
 * @throws ExportError `callback.invalid` at `/callback_url`
 */
export function parseCallbackUrl(text: string, allowPrivate: boolean): URL {
  const url = readAddress(text, allowPrivate);
  if (url instanceof URL) return url;
  throw new ExportError('invalid', 'callback.invalid', `callback_url ${url}`, { path: '/callback_url' });
}
