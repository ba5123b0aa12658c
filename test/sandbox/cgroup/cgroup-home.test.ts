import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findCgroups } from '../../../src/sandbox/cgroup/cgroup-home.ts';
import { cgroupMounts, folderOf } from '../../../src/sandbox/cgroup/cgroup-mounts.ts';
import { ScratchFolder } from '../scratch-folder.ts';

const UNIT = '/system.slice/tiercut.service';

function mount(version: 1 | 2, mountPoint: string, options = 'rw', mountedPath = '/'): string {
  return `30 20 0:26 ${mountedPath} ${mountPoint} rw,relatime shared:4 - ${version === 2 ? 'cgroup2 cgroup2' : 'cgroup cgroup'} ${options}`;
}

/** A group of version 2 in a folder of ours. */
function group(root: string, path: string, controllers = 'cpu memory pids'): string {
  const folder = join(root, path);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'cgroup.controllers'), `${controllers}\n`);
  for (const file of ['cgroup.subtree_control', 'cgroup.procs']) writeFileSync(join(folder, file), '');
  return folder;
}

test('mounts and memberships are read as the kernel writes them', () => {
  const membership = `9:name=systemd:/\n8:pids:/a\n4:cpu,memory:/b c\n0::${UNIT}\n`;
  const mountInfo = [
    '22 1 8:1 / / rw - ext4 /dev/sda1 rw',
    mount(1, '/sys/fs/cgroup/pids', 'rw,pids'),
    mount(1, '/sys/fs/cgroup/cpu,memory', 'rw,cpu,memory', '/b\\040c'),
    mount(1, '/sys/fs/cgroup/systemd', 'rw,xattr,name=systemd'),
    mount(2, '/sys/fs/cgroup/unified', 'rw,nsdelegate'),
    '',
  ].join('\n');
  const [pids, memory, unified, ...more] = cgroupMounts(membership, mountInfo);
  assert.deepEqual(more, []);
  assert.deepEqual([pids?.controllers, pids?.ownPath], [['pids'], '/a']);
  assert.deepEqual([memory?.controllers, memory?.ownPath, memory?.mountedPath], [['memory'], '/b c', '/b c']);
  assert.deepEqual([unified?.version, unified?.ownPath], [2, UNIT]);
  assert.equal(folderOf(pids!, '/a'), '/sys/fs/cgroup/pids/a');
  assert.equal(folderOf(memory!, '/b c/d'), '/sys/fs/cgroup/cpu,memory/d');
  assert.equal(folderOf(memory!, '/b child'), null, 'beside what is mounted');
  assert.equal(folderOf(pids!, '/a/../..'), null);
  assert.deepEqual(cgroupMounts('', ''), []);
});

test('[H8] a group that systemd delegates to the service is used, also from a subgroup', () => {
  using root = new ScratchFolder();
  const home = group(root.path, UNIT);
  group(root.path, `${UNIT}/main`);
  for (const own of [UNIT, `${UNIT}/main`]) {
    const sources = {
      membership: `0::${own}\n`,
      mountInfo: mount(2, root.path),
      isDelegated: (folder: string) => folder === home,
    };
    const { homes, detail } = findCgroups('auto', sources);
    assert.deepEqual(homes, [{ version: 2, folder: home, controllers: ['memory', 'pids'] }], own);
    assert.equal(detail, `memory and pids in ${home}`);
    assert.deepEqual(findCgroups('off', sources).homes, []);
  }
});

test('[H8] a group that is not delegated to us is not changed, even if it could be', () => {
  using root = new ScratchFolder();
  group(root.path, '/');
  group(root.path, '/user.slice');
  const find = (own: string, mountedPath: string, isDelegated: boolean) =>
    findCgroups('auto', {
      membership: `0::${own}\n`,
      mountInfo: mount(2, root.path, 'rw', mountedPath),
      isDelegated: () => isDelegated,
    });
  assert.match(find('/user.slice', '/', false).detail, /none is delegated to this service/);
  // A container that sees its own group as the root, whether it knows that or not: other processes run there too.
  assert.deepEqual(find('/', '/', true).homes, []);
  assert.deepEqual(find('/docker/1', '/docker/1', true).homes, []);
  assert.match(findCgroups('auto', null).detail, /this machine has none/);
});

test('[H8] a group that an operator names is used if it exists, in each hierarchy that has it', () => {
  using root = new ScratchFolder();
  for (const name of ['pids', 'memory', 'unified']) mkdirSync(join(root.path, name, 'tiercut'), { recursive: true });
  const sources = {
    membership: '2:pids:/\n1:memory:/elsewhere\n0::/\n',
    mountInfo: [
      mount(2, join(root.path, 'unified')),
      mount(1, join(root.path, 'pids'), 'rw,pids'),
      mount(1, join(root.path, 'memory'), 'rw,memory'),
    ].join('\n'),
    isDelegated: () => false,
  };
  assert.match(findCgroups('/tiercut', sources).detail, /no group \/tiercut bounds anything/);
  writeFileSync(join(root.path, 'pids', 'tiercut', 'cgroup.procs'), '');
  const pids = { version: 1, folder: join(root.path, 'pids', 'tiercut'), controllers: ['pids'] };
  assert.deepEqual(findCgroups('/tiercut', sources).homes, [pids]);
  writeFileSync(join(root.path, 'memory', 'tiercut', 'cgroup.procs'), '');
  const memory = { version: 1, folder: join(root.path, 'memory', 'tiercut'), controllers: ['memory'] };
  assert.deepEqual(findCgroups('/tiercut', sources).homes, [pids, memory]);
  // A hybrid machine: the new hierarchy has no controllers there.
  group(root.path, 'unified/tiercut', '');
  assert.deepEqual(findCgroups('/tiercut', sources).homes, [pids, memory]);
});
