import { hash } from 'node:crypto';

/** The SHA-256 of plain data, in hex. Objects must be built in a fixed order of fields; lists are safer. */
export function digest(content: unknown): string {
  return hash('sha256', JSON.stringify(content));
}
