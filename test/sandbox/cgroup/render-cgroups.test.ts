import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ExportError } from '../../../src/errors.ts';
import { type CgroupHome, findCgroups } from '../../../src/sandbox/cgroup/cgroup-home.ts';
import { cgroupMounts, folderOf } from '../../../src/sandbox/cgroup/cgroup-mounts.ts';
import { RenderCgroups } from '../../../src/sandbox/cgroup/render-cgroups.ts';
import { childLimits } from '../../../src/sandbox/host/child-limits.ts';
import { startTestChild } from '../host/start-test-child.ts';
import { ScratchFolder } from '../scratch-folder.ts';

const BOUNDS = { memoryBytes: 2 ** 30, threads: 300 };
/** No process has this id: it is above the kernel's maximum. */
const NOBODY = 2 ** 30;

/** A simulated group of version 2 in a folder. */
function home(folder: string, { enabled = '', processes = '' } = {}): CgroupHome {
  writeFileSync(join(folder, 'cgroup.subtree_control'), enabled);
  writeFileSync(join(folder, 'cgroup.procs'), processes);
  return { version: 2, folder, controllers: ['memory', 'pids'] };
}

function open(...homes: readonly CgroupHome[]): RenderCgroups {
  return RenderCgroups.open('auto', { homes, detail: 'found' });
}

const text = (...path: readonly string[]) => readFileSync(join(...path), 'utf8');

test('the service moves into a subgroup before the group gets controllers, once', () => {
  using folder = new ScratchFolder();
  const found = home(folder.workDir, { enabled: 'pids', processes: `${process.pid}\n` });
  open(found);
  assert.equal(text(folder.workDir, 'service', 'cgroup.procs'), String(process.pid));
  assert.equal(text(folder.workDir, 'cgroup.subtree_control'), '+memory');

  using ready = new ScratchFolder();
  open(home(ready.workDir, { enabled: 'cpu memory pids', processes: `${process.pid}\n` }));
  assert.equal(existsSync(join(ready.workDir, 'service')), false, 'nothing to do');
});

test('[H8] each render has its own group with its limits, and removes it', () => {
  using folder = new ScratchFolder();
  const cgroups = open(home(folder.workDir, { enabled: 'memory pids' }));
  const first = cgroups.add(4711, BOUNDS)!;
  const second = cgroups.add(4712, BOUNDS)!;
  const [one, two, ...more] = readdirSync(folder.workDir).filter((name) => name.startsWith('render-'));
  assert.deepEqual(more, []);
  const group = join(folder.workDir, one!);
  assert.deepEqual(
    ['cgroup.procs', 'memory.max', 'memory.swap.max', 'pids.max'].map((file) => text(group, file)),
    ['4711', String(2 ** 30), '0', '300'],
  );
  assert.equal(first.ranOutOfMemory, false);
  writeFileSync(join(group, 'memory.events'), 'low 0\noom 1\noom_kill 1\n');
  assert.equal(first.ranOutOfMemory, true);
  assert.equal(second.ranOutOfMemory, false);
  // In a real one the files go with the folder.
  for (const file of readdirSync(group)) rmSync(join(group, file));
  first[Symbol.dispose]();
  assert.deepEqual(
    readdirSync(folder.workDir).filter((name) => name.startsWith('render-')),
    [two],
  );
});

test('groups left by renders of a dead service are removed at the start, and no others', () => {
  using folder = new ScratchFolder();
  for (const name of [`render-${NOBODY}-0`, `render-${process.pid}-7`, `render-${process.ppid}-1`, 'somebody-elses']) {
    mkdirSync(join(folder.workDir, name));
  }
  open({ version: 1, folder: folder.workDir, controllers: ['pids'] });
  assert.deepEqual(readdirSync(folder.workDir).sort(), [`render-${process.ppid}-1`, 'somebody-elses'].sort());
});

test('[H8] a cgroup that cannot be set up is reported, and renders run without it', async () => {
  using folder = new ScratchFolder();
  const cgroups = open({ version: 2, folder: join(folder.workDir, 'gone'), controllers: ['pids'] });
  assert.match(cgroups.detail, /no cgroup of its own \(.*ENOENT/);
  assert.equal(cgroups.add(4711, BOUNDS), null);
  // Ready, and then not to be had after all.
  const lost = open(home(folder.workDir, { enabled: 'memory pids' }));
  const reported: string[] = [];
  rmSync(folder.workDir, { recursive: true });
  using work = new ScratchFolder();
  await using child = await startTestChild(work, { cgroups: lost, log: (message) => reported.push(message) });
  assert.ok(child.pid);
  assert.ok(reported.includes('render process without cgroup'), reported.join(', '));
});

test('[H8] a real group limits the threads of a render, and is removed with it', async (t) => {
  // Below a root where we are alone: a group that another program manages for us belongs to it.
  const own = process.platform === 'linux' ? text('/proc/self/cgroup') : '';
  const mounts = cgroupMounts(own, process.platform === 'linux' ? text('/proc/self/mountinfo') : '');
  const pids = mounts.find(({ controllers, ownPath }) => controllers.includes('pids') && ownPath === '/');
  const name = `/tiercut-test-${process.pid}` as const;
  const folder = pids === undefined ? null : folderOf(pids, name);
  if (folder === null || !succeeds(() => mkdirSync(folder))) {
    return t.skip('needs a hierarchy of pids (cgroup 1) in whose root we are and may write');
  }
  try {
    const finding = findCgroups(name);
    assert.deepEqual(finding.homes, [{ version: 1, folder, controllers: ['pids'] }]);
    const cgroups = RenderCgroups.open(name);
    using work = new ScratchFolder();
    const limits = { ...childLimits(10), threads: 64 };
    {
      await using child = await startTestChild(work, { cgroups, limits });
      const [group] = readdirSync(folder).filter((entry) => entry.startsWith('render-'));
      assert.equal(text(folder, group!, 'cgroup.procs').trim(), String(child.pid));
      assert.equal(text(folder, group!, 'pids.max').trim(), '64');
      const { pid } = child;
      assert.match(text(`/proc/${pid}/cgroup`), new RegExp(`:pids:${name}/${group}$`, 'm'));
      // Refused by the kernel, so that there are never more than the watchdog allows. Node reports an error or exits,
      // depending on whether its own thread or V8's was refused.
      await assert.rejects(child.request('start_threads', { count: 30 }), (error) => {
        assert.ok(error instanceof ExportError);
        if (error.code === 'render.crashed') return true;
        assert.equal(error.code, 'render.failed');
        assert.match(String(error.cause), /EAGAIN/);
        return true;
      });
    }
    assert.deepEqual(
      readdirSync(folder).filter((entry) => entry.startsWith('render-')),
      [],
    );
  } finally {
    rmdirSync(folder);
  }
});

function succeeds(call: () => void): boolean {
  try {
    call();
    return true;
  } catch {
    return false;
  }
}
