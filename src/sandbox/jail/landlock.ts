import { closeSync, openSync, statSync } from 'node:fs';
import { jailArch, SystemCallError, systemCall } from './libc.ts';

const LANDLOCK_CREATE_RULESET_VERSION = 1;
const LANDLOCK_RULE_PATH_BENEATH = 1;
const O_PATH = 0o10000000;

const EXECUTE = 1n << 0n;
const WRITE_FILE = 1n << 1n;
const READ_FILE = 1n << 2n;
const READ_DIR = 1n << 3n;
const REMOVE_FILE = 1n << 5n;
const MAKE_REG = 1n << 8n;
const TRUNCATE = 1n << 14n;

/** Every right of the first ABI; later ones added moving between folders, truncating, and ioctls on devices. */
const FIRST_RIGHTS = (1n << 13n) - 1n;
const LATER_RIGHTS: readonly (readonly [abi: number, right: bigint])[] = [
  [2, 1n << 13n],
  [3, TRUNCATE],
  [5, 1n << 15n],
];
const TCP_BIND_AND_CONNECT = 3n;
const ABSTRACT_SOCKETS_AND_SIGNALS = 3n;
/** Rights that mean something on a file rather than on a folder. */
const FILE_RIGHTS = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | (1n << 15n);

/** What is allowed beneath a path. `work` is a flat folder of regular files: no links, devices or folders. */
type FileGrant = 'read' | 'execute' | 'write' | 'work';

const GRANTS: Record<FileGrant, bigint> = {
  read: READ_FILE | READ_DIR,
  execute: EXECUTE | READ_FILE,
  write: READ_FILE | WRITE_FILE,
  work: READ_FILE | READ_DIR | WRITE_FILE | TRUNCATE | MAKE_REG | REMOVE_FILE,
};

/** A path and the allowed actions there. */
export interface FileRule {
  readonly path: string;
  readonly grant: FileGrant;
}

/** The kernel's Landlock ABI, or 0 if it has none or Landlock is disabled. */
export function landlockAbi(): number {
  if (jailArch() === null) return 0;
  try {
    return systemCall('landlock_create_ruleset', null, 0, LANDLOCK_CREATE_RULESET_VERSION);
  } catch (error) {
    if (error instanceof SystemCallError) return 0;
    throw error;
  }
}

/**
 * Permanently confines the calling thread, and everything it executes, to the rules: no other file can be opened, made
 * or removed, and if the kernel supports it, no TCP used and no outside process signalled.
 *
 * Rules bind to the files that exist now: a path that does not exist grants nothing, and a file that replaces another
 * later is not accessible.
 *
 * @throws SystemCallError if the kernel refuses (no_new_privs must be set).
 */
export function restrictFiles(rules: readonly FileRule[], abi: number): void {
  const handled = LATER_RIGHTS.reduce((all, [since, right]) => (abi >= since ? all | right : all), FIRST_RIGHTS);
  const attributes = Buffer.alloc(24);
  attributes.writeBigUInt64LE(handled, 0);
  attributes.writeBigUInt64LE(abi >= 4 ? TCP_BIND_AND_CONNECT : 0n, 8);
  attributes.writeBigUInt64LE(abi >= 6 ? ABSTRACT_SOCKETS_AND_SIGNALS : 0n, 16);
  // An older kernel refuses a structure longer than the one it knows.
  const attributesBytes = abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
  const ruleset = systemCall('landlock_create_ruleset', attributes, attributesBytes, 0);
  for (const rule of rules) addRule(ruleset, rule, handled);
  systemCall('landlock_restrict_self', ruleset, 0);
  closeSync(ruleset);
}

function addRule(ruleset: number, { path, grant }: FileRule, handled: bigint): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  const fd = openSync(path, O_PATH);
  const rights = GRANTS[grant] & handled & (stats.isDirectory() ? ~0n : FILE_RIGHTS);
  const beneath = Buffer.alloc(12);
  beneath.writeBigUInt64LE(rights, 0);
  beneath.writeInt32LE(fd, 8);
  systemCall('landlock_add_rule', ruleset, LANDLOCK_RULE_PATH_BENEATH, beneath, 0);
  closeSync(fd);
}
