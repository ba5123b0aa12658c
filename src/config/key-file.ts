import { ExportError, type Issue } from '../errors.ts';

/** What a key allows: reading, everything of its tenant, or what only the operator may do. (C95) */
const KEY_SCOPES = ['read', 'render', 'operate'] as const;
type KeyScope = (typeof KEY_SCOPES)[number];

/** A key of a file, with its scopes. */
export interface ScopedKey {
  readonly tenant: string;
  readonly key: string;
  readonly scopes: readonly KeyScope[];
}

/** Without scopes, a key is as one of `TIERCUT_API_KEYS`. */
const USUAL_SCOPES: readonly KeyScope[] = ['read', 'render'];

/** No comma and no space, as both separate something. */
const LINE = /^([A-Za-z0-9_-]{1,64}):([\x21-\x2b\x2d-\x7e]{16,200})(?:\s+(\S+))?$/;

const ALLOWED = `"tenant:key", with a key of 16 to 200 printable characters and, after a space, scopes of ${KEY_SCOPES.join(', ')} with commas between them`;

/**
 * Reads a file of keys: one on each line; empty lines and lines that begin with `#` are left out. Errors name the line
 * and never the key.
 *
 * @param others keys that are set elsewhere: a key that means two things would be a surprise.
 * @throws ExportError `config.key_file` with all wrong lines, or if there is no key.
 */
export function parseKeyFile(text: string, path: string, others: readonly string[] = []): readonly ScopedKey[] {
  const taken = new Set(others);
  const issues: Issue[] = [];
  const keys: ScopedKey[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const [, tenant, key, list] = LINE.exec(trimmed) ?? [];
    const scopes = list === undefined ? USUAL_SCOPES : scopesOf(list);
    const refuse = (wrong: string) =>
      issues.push(fault(`${path}:${index + 1}`, `Line ${index + 1} of ${path} ${wrong}.`));
    if (tenant === undefined || key === undefined || scopes === null) refuse(`must be ${ALLOWED}`);
    else if (taken.has(key)) refuse('has a key that an earlier line or TIERCUT_API_KEYS has');
    else keys.push({ tenant, key, scopes });
    if (key !== undefined) taken.add(key);
  }
  if (issues.length === 0 && keys.length === 0)
    issues.push(fault(path, `${path} has no key. Without keys, every client would be the same tenant.`));
  if (issues.length === 0) return keys;
  const message = issues.map((issue) => issue.message).join('\n');
  throw new ExportError('invalid', 'config.key_file', message, { issues });
}

function fault(path: string, message: string): Issue {
  return { path, code: 'config.key_file', message };
}

function scopesOf(list: string): readonly KeyScope[] | null {
  const names = list.split(',');
  const scopes = KEY_SCOPES.filter((scope) => names.includes(scope));
  return scopes.length === names.length ? scopes : null;
}
