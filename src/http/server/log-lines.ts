import { createHash } from 'node:crypto';

/** An id of version 4, but not that of the request: that one opens nothing, and the client is told it. */
const EXPORT_ID = /(?<!"reqId":")\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/g;

/**
 * A log line without export ids, which open downloads: each is replaced by the beginning of its SHA-256, the same in every
 * line. Whatever way an id got into a line, a path in a system's error included, it does not leave by it.
 */
export function withoutExportIds(line: string): string {
  return line.replace(EXPORT_ID, (id) => `#${createHash('sha256').update(id).digest('hex').slice(0, 12)}`);
}
