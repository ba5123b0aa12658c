import { STATUS_CODES } from 'node:http';

/** Transient statuses besides server errors. (RFC 9110, RFC 6585) */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 429]);

/** Whether a retry may get another response. */
export function isTransientStatus(status: number): boolean {
  return status >= 500 || TRANSIENT_STATUSES.has(status);
}

/** As the end of a sentence: `it returned status 403 (Forbidden)` */
export function returnedStatus(status: number): string {
  const name = STATUS_CODES[status];
  return `it returned status ${name === undefined ? status : `${status} (${name})`}`;
}
