/**
 * `npm version X` runs this after it has written package.json and the lock file: the clients and the manifests follow. A test
 * compares them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { followVersion } from './versions.ts';

const ROOT = join(import.meta.dirname, '..');

for (const [path, text] of followVersion(ROOT)) {
  if (text !== readFileSync(join(ROOT, path), 'utf8')) writeFileSync(join(ROOT, path), text);
}
