import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { jailArch, systemCall } from '../jail/libc.ts';
import { BOUNDING, type CgroupMount, type Controller, cgroupMounts, folderOf } from './cgroup-mounts.ts';

/**
 * Where renders get their own cgroups: `auto` in the group delegated to the service, `off` nowhere, a path (as in
 * `/proc/self/cgroup`) in the group with that name, which the operator has made for the service.
 */
export type CgroupSetting = 'auto' | 'off' | `/${string}`;

/** A group in which we may make others. */
export interface CgroupHome {
  readonly version: 1 | 2;
  readonly folder: string;
  readonly controllers: readonly Controller[];
}

/** The result, for renders and for reports. */
export interface CgroupFinding {
  readonly homes: readonly CgroupHome[];
  readonly detail: string;
}

/** The machine's files; tests replace them. */
interface CgroupSources {
  readonly membership: string;
  readonly mountInfo: string;
  readonly isDelegated: (folder: string) => boolean;
}

/** Looks for groups in which others can be made. Changes nothing. */
export function findCgroups(setting: CgroupSetting, sources: CgroupSources | null = machineSources()): CgroupFinding {
  if (setting === 'off') return none('switched off');
  const mounts = sources === null ? [] : cgroupMounts(sources.membership, sources.mountInfo);
  if (sources === null || mounts.length === 0) return none('this machine has none');
  const homes: CgroupHome[] = [];
  const left = new Set<Controller>(BOUNDING);
  for (const mount of mounts.toSorted((a, b) => b.version - a.version)) {
    const folder = setting === 'auto' ? delegatedFolder(mount, sources) : namedFolder(mount, setting);
    if (folder === null) continue;
    const controllers = controllersIn(mount, folder).filter((name) => left.delete(name));
    if (controllers.length > 0) homes.push({ version: mount.version, folder, controllers });
  }
  if (homes.length === 0) {
    return none(setting === 'auto' ? 'none is delegated to this service' : `no group ${setting} bounds anything`);
  }
  const detail = homes.map(({ folder, controllers }) => `${controllers.join(' and ')} in ${folder}`).join(', ');
  return { homes, detail };
}

/**
 * Our own group, or its parent if systemd has put us into a subgroup of the delegated one (`DelegateSubgroup=`). Never
 * the root: it belongs to the machine, or to a container with everything in it.
 */
function delegatedFolder(mount: CgroupMount, sources: CgroupSources): string | null {
  for (const path of [mount.ownPath, dirname(mount.ownPath)]) {
    const folder = path === '/' || path === mount.mountedPath ? null : folderOf(mount, path);
    if (folder !== null && sources.isDelegated(folder)) return folder;
  }
  return null;
}

function namedFolder(mount: CgroupMount, path: string): string | null {
  const folder = folderOf(mount, path);
  return folder !== null && path !== '/' && existsSync(join(folder, 'cgroup.procs')) ? folder : null;
}

function controllersIn({ version, controllers }: CgroupMount, folder: string): readonly Controller[] {
  if (version === 1) return controllers;
  const offered = readFileSync(join(folder, 'cgroup.controllers'), 'utf8').trim().split(' ');
  return BOUNDING.filter((name) => offered.includes(name));
}

function none(reason: string): CgroupFinding {
  return { homes: [], detail: `no cgroup of its own (${reason})` };
}

function machineSources(): CgroupSources | null {
  try {
    const [membership, mountInfo] = [
      readFileSync('/proc/self/cgroup', 'utf8'),
      readFileSync('/proc/self/mountinfo', 'utf8'),
    ];
    return { membership, mountInfo, isDelegated };
  } catch {
    return null;
  }
}

/** How systemd marks a group that it delegates to its processes (`Delegate=yes`). */
const MARKS = ['user.delegate', 'trusted.delegate'];

/**
 * Whether a group is delegated to this process. Root can write to any group, so for root only systemd's mark counts.
 * For an ordinary user, the group must belong to that user.
 */
function isDelegated(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    accessSync(join(folder, 'cgroup.procs'), constants.W_OK);
    const user = process.getuid?.() ?? 0;
    return user === 0 ? MARKS.some((mark) => attribute(folder, mark) === '1') : statSync(folder).uid === user;
  } catch {
    return false;
  }
}

/** An extended attribute of a file; null if it has none with that name. */
function attribute(file: string, name: string): string | null {
  if (jailArch() === null) return null;
  const value = Buffer.alloc(16);
  try {
    const bytes = systemCall('getxattr', Buffer.from(`${file}\0`), Buffer.from(`${name}\0`), value, value.length);
    return value.toString('utf8', 0, bytes);
  } catch {
    return null;
  }
}
