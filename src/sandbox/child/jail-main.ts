/**
 * The first program of a render child: jails itself on the terms the parent sends, reports the layers that are active,
 * and becomes the child's real program. It must execute rather than import that program: Landlock binds one thread, and
 * Node already has several.
 */
import { readSync, writeSync } from 'node:fs';
import {
  CHILD_FRAME_LIMIT_BYTES,
  decodeBody,
  encodeFrame,
  frameLength,
  PARENT_FRAME_LIMIT_BYTES,
  type ParentMessage,
} from '../channel/protocol.ts';
import { closeOthersOnExec } from '../jail/descriptors.ts';
import { enterJail } from '../jail/jail.ts';
import { dieFirst, dieWithParent } from '../jail/privileges.ts';
import { CHILD_FLAGS, CHILD_MEMORY } from '../jail/resource-limits.ts';
import { JAIL_LAYERS, type JailReport } from '../jail/sandbox-mode.ts';
import { SEAL_ARGUMENT } from '../jail/seal.ts';

const FLAGS = ['--disable-sigusr1', '--disable-warning=ExperimentalWarning', ...CHILD_FLAGS];

const message = decodeBody(readExactly(frameLength(readExactly(4), PARENT_FRAME_LIMIT_BYTES))) as ParentMessage;
if (message.type !== 'terms') throw new Error(`the parent began with ${message.type}`);
const { mode, parentPid, jail } = message;

if (process.platform === 'linux' && !dieWithParent(parentPid)) process.exit(1);
if (process.platform === 'linux') dieFirst();
if (mode !== 'off') closeOthersOnExec();
const report: JailReport =
  mode === 'off'
    ? { layers: [], missing: JAIL_LAYERS.map((name) => ({ name, reason: 'the sandbox is switched off' })) }
    : enterJail(jail);
writeSync(1, encodeFrame({ type: 'jailed', report }, CHILD_FRAME_LIMIT_BYTES));
if (mode === 'required' && report.missing.length > 0) process.exit(1);

const sealed = report.layers.some(({ name }) => name === 'seccomp');
if (process.execve === undefined) throw new Error(`no execve on ${process.platform}`);
process.execve(process.execPath, [process.execPath, ...FLAGS, jail.entry, ...(sealed ? [SEAL_ARGUMENT] : [])], {
  HOME: jail.workDir,
  LANG: 'C.UTF-8',
  ...CHILD_MEMORY,
  // Exists and is empty: the system's own configuration cannot be opened from inside.
  OPENSSL_CONF: '/dev/null',
  TMPDIR: jail.workDir,
  TZ: 'UTC',
});

/** Not a byte more: the rest belongs to the next program. */
function readExactly(bytes: number): Uint8Array {
  const buffer = Buffer.alloc(bytes);
  let filled = 0;
  while (filled < bytes) {
    const count = readSync(0, buffer, filled, bytes - filled, null);
    if (count === 0) process.exit(0);
    filled += count;
  }
  return buffer;
}
