import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The one list of codes, for people and, parsed below, for programs. */
const ERRORS_MARKDOWN = readFileSync(join(import.meta.dirname, '../../../docs/reference/errors.md'), 'utf8');

/** These codes never appear in a response. */
const LOCAL_SECTION = '## Command line and configuration';

/** Every code that a response can hold. (C32) */
export function errorCodes(): string[] {
  const [overHttp] = ERRORS_MARKDOWN.split(LOCAL_SECTION, 1);
  return [...overHttp!.matchAll(/^\| `([a-z_]+\.[a-z_]+)` \|/gm)].map(([, code]) => code!);
}
