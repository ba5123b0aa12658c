import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { FileRule } from './landlock.ts';

/** Our code: `src/` in a clone, `dist/` where it was built. */
const CODE = resolve(import.meta.dirname, '../..');
/** The folder that holds it, and package.json. */
const PROJECT_ROOT = dirname(CODE);

const SYSTEM_LIBRARIES = ['/lib', '/lib64', '/usr/lib', '/usr/lib64', '/usr/local/lib', '/etc/ld.so.cache'];

/**
 * Files in which Node and C libraries look up the process and the machine. Not all of /proc/self: it includes the
 * network.
 */
const MACHINE_FACTS = [
  ...['cgroup', 'fd', 'maps', 'oom_score_adj', 'stat', 'statm', 'status'].map((name) => `/proc/self/${name}`),
  '/proc/cpuinfo',
  '/proc/meminfo',
  '/proc/stat',
  '/sys/devices/system/cpu',
  '/dev/urandom',
];

/**
 * The files of the child's program besides its inputs: Node, system libraries, our code and its dependencies (including
 * fonts). Not the system's fonts: a render must not depend on the machine. (R14, R18)
 */
export function runtimeFiles(entry: string): FileRule[] {
  const interpreter = elfInterpreter(process.execPath);
  return [
    { path: process.execPath, grant: 'execute' },
    ...(interpreter === null ? [] : [{ path: interpreter, grant: 'execute' } as const]),
    ...[...SYSTEM_LIBRARIES, ...loadedLibraries(), ...MACHINE_FACTS].map((path) => ({ path, grant: 'read' }) as const),
    ...[CODE, join(PROJECT_ROOT, 'package.json'), entry, ...moduleFolders()].map(
      (path) => ({ path, grant: 'read' }) as const,
    ),
    { path: '/dev/null', grant: 'write' },
  ];
}

/** Where Node looks for packages from here. */
function moduleFolders(): string[] {
  const folders: string[] = [];
  for (let folder = PROJECT_ROOT; ; folder = dirname(folder)) {
    folders.push(join(folder, 'node_modules'));
    if (dirname(folder) === folder) return folders;
  }
}

/** Libraries this process has mapped: systems that keep theirs elsewhere work too. */
function loadedLibraries(): string[] {
  const mapped = readFileSync('/proc/self/maps', 'utf8').matchAll(/ (\/\S+\.so[\d.]*)$/gm);
  return [...new Set([...mapped].map((match) => match[1]!))];
}

/** The dynamic loader an ELF program names, which the kernel opens for execution beside it; null for a static one. */
function elfInterpreter(program: string): string | null {
  const fd = openSync(program, 'r');
  try {
    const header = readAt(fd, 0, 64);
    const tableOffset = Number(header.readBigUInt64LE(32));
    const entryBytes = header.readUInt16LE(54);
    const entries = readAt(fd, tableOffset, entryBytes * header.readUInt16LE(56));
    const PT_INTERP = 3;
    for (let at = 0; at < entries.length; at += entryBytes) {
      if (entries.readUInt32LE(at) !== PT_INTERP) continue;
      const name = readAt(fd, Number(entries.readBigUInt64LE(at + 8)), Number(entries.readBigUInt64LE(at + 32)));
      return name.toString('utf8', 0, name.length - 1);
    }
    return null;
  } finally {
    closeSync(fd);
  }
}

function readAt(fd: number, position: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  readSync(fd, buffer, 0, bytes, position);
  return buffer;
}
