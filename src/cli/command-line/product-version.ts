import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version of the package that contains this file. */
export function productVersion(): string {
  return JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', '..', 'package.json'), 'utf8')).version;
}
