import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Which Tiercut this is: the version of the package that this file is a part of. */
export function productVersion(): string {
  return JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', '..', 'package.json'), 'utf8')).version;
}
