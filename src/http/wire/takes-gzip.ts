import type { IncomingHttpHeaders } from 'node:http';

/** Whether a client takes gzip; `gzip;q=0` says that it does not. (RFC 9110, 12.5.3) */
export function takesGzip(headers: Pick<IncomingHttpHeaders, 'accept-encoding'>): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(String(headers['accept-encoding'] ?? ''));
}
