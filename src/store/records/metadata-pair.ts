import { createHash } from 'node:crypto';

/** A pair of metadata in the index of pairs. Values are too long for an index. (C87) */
export function hashOfPair(pair: readonly [key: string, value: string]): string {
  return createHash('sha256').update(JSON.stringify(pair)).digest('base64url');
}
