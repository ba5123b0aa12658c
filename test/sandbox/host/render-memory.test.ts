import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryLimitBytes } from '../../../src/sandbox/host/memory-limit.ts';
import { memoryOfEach, renderMemoryBytes, rendersAtOnce } from '../../../src/sandbox/host/render-memory.ts';

const GB = 1e9;
const MACHINE = 64 * GB;

/** The memory limit of a machine with these kernel files. */
function limit(files: Readonly<Record<string, string>>): number {
  return memoryLimitBytes((path) => files[path] ?? null, MACHINE);
}

test('[R25] without control groups the memory limit is that of the machine', () => {
  assert.equal(limit({}), MACHINE);
  assert.ok(memoryLimitBytes() > 0);
});

test('[R25] the memory limits of a control group of version 2 and its ancestors count', () => {
  const service = { '/proc/self/cgroup': '0::/system.slice/tiercut.service\n' };
  const own = '/sys/fs/cgroup/system.slice/tiercut.service/memory.max';
  assert.equal(limit({ ...service, [own]: '4000000000\n' }), 4 * GB);
  assert.equal(limit({ ...service, [own]: 'max\n' }), MACHINE);
  assert.equal(
    limit({ ...service, [own]: 'max\n', '/sys/fs/cgroup/system.slice/memory.high': '3000000000\n' }),
    3 * GB,
  );
  assert.equal(limit({ ...service, '/sys/fs/cgroup/memory.max': '2000000000\n' }), 2 * GB, 'a container’s own');
  assert.equal(limit({ '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/memory.max': '90000000000' }), MACHINE);
});

test('[R25] the memory limits of a control group of version 1 and its ancestors count', () => {
  const docker = { '/proc/self/cgroup': '5:cpu,cpuacct:/docker/x\n4:memory:/docker/x\n0::/\n' };
  const limits = '/sys/fs/cgroup/memory';
  assert.equal(limit({ ...docker, [`${limits}/docker/x/memory.limit_in_bytes`]: '1500000000\n' }), 1.5 * GB);
  assert.equal(limit({ ...docker, [`${limits}/docker/memory.limit_in_bytes`]: '1500000000\n' }), 1.5 * GB);
  assert.equal(limit({ ...docker, [`${limits}/memory.limit_in_bytes`]: '1500000000\n' }), 1.5 * GB);
  assert.equal(limit({ ...docker, [`${limits}/docker/x/memory.limit_in_bytes`]: '9223372036854771712\n' }), MACHINE);
});

test('[R25] there is one render for every two cores, as far as memory allows, and at least one', () => {
  const usual = [{ canvas: { width: 1920, height: 1080 }, encoder: { preset: 'veryfast' } }];
  const renders = (cores: number, memoryBytes: number) => rendersAtOnce({ cores, memoryBytes }, usual);
  assert.equal(renders(2, 24 * GB), 1);
  assert.equal(renders(64, 128 * GB), 32);
  assert.equal(renders(64, 16 * GB), 24);
  assert.equal(renders(8, 2 * GB), 2);
  assert.equal(renders(8, 0.5 * GB), 1);
});

test('[R25] the estimated memory of presets rendered together is at least the measured one, and less than 1.5 times it', () => {
  const sizes = { landscape: [1920, 1080], portrait: [1080, 1920], square: [1080, 1080], uhd: [3840, 2160] } as const;
  const megabytes = (preset: string, ...names: (keyof typeof sizes)[]) => {
    const presets = names.map((name) => {
      const [width, height] = sizes[name];
      return { canvas: { width, height }, encoder: { preset } };
    });
    return renderMemoryBytes(presets) / 1e6;
  };
  const measured: [number, number][] = [
    [598, megabytes('veryfast', 'landscape')],
    [1097, megabytes('veryfast', 'landscape', 'portrait', 'square')],
    [615, megabytes('veryfast', 'landscape')],
    [1127, megabytes('veryfast', 'landscape', 'portrait', 'square')],
    [816, megabytes('medium', 'landscape')],
    [1659, megabytes('medium', 'landscape', 'portrait', 'square')],
    [1636, megabytes('veryfast', 'uhd')],
    [2132, megabytes('veryfast', 'uhd', 'portrait', 'square')],
  ];
  for (const [was, reported] of measured)
    assert.ok(reported > was * 0.98 && reported < was * 1.5, `${reported} for ${was} MB`);
  assert.equal(memoryOfEach(24.7 * GB, 2), 12 * GB);
});
