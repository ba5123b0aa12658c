import { join } from 'node:path';

/** The controllers that bound a render. */
export const BOUNDING = ['memory', 'pids'] as const;
export type Controller = (typeof BOUNDING)[number];

/** A hierarchy of cgroups that can be seen from here, and where in it this process is. */
export interface CgroupMount {
  readonly version: 1 | 2;
  /** Which bounding controllers it has; in version 2 each group has its own list. */
  readonly controllers: readonly Controller[];
  readonly mountPoint: string;
  /** The part of the hierarchy that is mounted there: in a container, often its own group. */
  readonly mountedPath: string;
  /** This process's group: `/system.slice/tiercut.service`. */
  readonly ownPath: string;
}

/**
 * The hierarchies of cgroups with something that bounds a render.
 *
 * @param membership `/proc/self/cgroup`
 * @param mountInfo `/proc/self/mountinfo`
 */
export function cgroupMounts(membership: string, mountInfo: string): CgroupMount[] {
  const own = membership.split('\n').map((line) => {
    const [, names = '', path = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    return { names: names.split(','), path };
  });
  return mountInfo.split('\n').flatMap((line): CgroupMount[] => {
    const [place = '', type = ''] = line.split(' - ');
    const [, , , mountedPath, mountPoint] = place.split(' ').map(unescaped);
    const [kind, , options = ''] = type.split(' ');
    if (mountedPath === undefined || mountPoint === undefined) return [];
    const version = kind === 'cgroup2' ? 2 : kind === 'cgroup' ? 1 : null;
    if (version === null) return [];
    const controllers = version === 2 ? [] : BOUNDING.filter((name) => options.split(',').includes(name));
    const mine = own.find(({ names }) => names.includes(version === 2 ? '' : (controllers[0] ?? 'none')));
    if (mine === undefined || mine.path === '') return [];
    return [{ version, controllers, mountPoint, mountedPath, ownPath: mine.path }];
  });
}

/** The folder of a group, or null if it is outside of the mounted part. */
export function folderOf({ mountPoint, mountedPath }: CgroupMount, path: string): string | null {
  if (path.split('/').includes('..')) return null;
  if (mountedPath === '/') return join(mountPoint, path);
  if (path !== mountedPath && !path.startsWith(`${mountedPath}/`)) return null;
  return join(mountPoint, path.slice(mountedPath.length));
}

/** Spaces and some other characters are octal escapes there. */
function unescaped(field: string): string {
  return field.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
