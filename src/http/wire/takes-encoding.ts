import type { IncomingHttpHeaders } from 'node:http';

const REFUSED = String.raw`(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))`;
const TAKEN = {
  gzip: new RegExp(String.raw`\bgzip\b${REFUSED}`, 'i'),
  br: new RegExp(String.raw`\bbr\b${REFUSED}`, 'i'),
};

/** Whether a client accepts this encoding. */
export function takes(encoding: keyof typeof TAKEN, headers: Pick<IncomingHttpHeaders, 'accept-encoding'>): boolean {
  return TAKEN[encoding].test(String(headers['accept-encoding'] ?? ''));
}
