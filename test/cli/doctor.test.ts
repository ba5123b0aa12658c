import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { doctorCommand } from '../../src/cli/node/doctor.ts';
import { tryDisk } from '../../src/compose/try-parts.ts';
import { landlockAbi } from '../../src/sandbox/jail/landlock.ts';
import { SqliteDatabase } from '../../src/store/sqlite/sqlite-database.ts';
import { SmallDisk } from '../faults/small-disk.ts';

const MODULE = import.meta.resolve('../../src/cli/node/doctor.ts');

interface Report {
  ok: boolean;
  findings: { name: string; state: string; detail: string }[];
}

/** Runs the command in a separate process, with these variables and no others. */
function doctor(env: Record<string, string>): Promise<{ code: number; report: Report }> {
  const program =
    `const { doctorCommand } = await import(${JSON.stringify(MODULE)});` +
    'const code = await doctorCommand(["--json"], { out: (line) => process.stdout.write(line), err: () => {} });' +
    'process.exitCode = code;';
  return new Promise((done, fail) => {
    execFile(process.execPath, ['--input-type=module', '-e', program], { env }, (error, stdout) => {
      if (error !== null && typeof error.code !== 'number') fail(error);
      else done({ code: Number(error?.code ?? 0), report: JSON.parse(stdout) });
    });
  });
}

test('doctor reports what the machine offers, and every tried part works', async () => {
  const lines: string[] = [];
  const code = await doctorCommand([], { out: (line) => lines.push(line), err: () => {} });
  const text = lines.join('\n');
  for (const name of ['node', 'cores', 'fonts', 'render']) assert.match(text, RegExp(`^ok +${name} `, 'm'), text);
  for (const name of ['memory', 'disk', 'jail: self-test']) assert.match(text, RegExp(`^\\w+ +${name} `, 'm'), text);
  assert.equal(code, /^MISSING/m.test(text) ? 1 : 0);
});

test('[H27] doctor reports a full disk, and a reserve without space', async (t) => {
  using disk = SmallDisk.mount(64);
  if (disk === null) return t.skip('only who may mount can have a small disk');
  const settings = { dataDir: disk.folder, databaseUrl: null, minFreeDiskBytes: 0, minFreeDiskPercent: 0 };
  const printed = async () => {
    const found = await tryDisk(settings);
    return [found.disk, found.reserve!].map(({ state, detail }) => `${state}: ${detail}`);
  };
  const unused = await printed();
  assert.match(unused[0]!, /^ok: 64 MiB free of 64 MiB; 16 MiB needed$/);
  assert.match(unused[1]!, /^ok: not created yet: the next start reserves/);

  const database = await SqliteDatabase.open(disk.folder);
  await database.reserve.refill();
  assert.match((await printed())[1]!, /^ok: 8 MiB reserved/);
  await database.close();
  assert.match((await printed())[1]!, /^ok: 8 MiB reserved/);
  disk.fill(2 ** 20);
  assert.match(
    (await printed())[0]!,
    /^missing: 1 MiB free of 64 MiB; 8 MiB needed: the disk is full, .* refuses new exports \(507\)$/,
  );

  rmSync(join(disk.folder, 'reserve'));
  disk.fill(0);
  const full = await printed();
  assert.match(full[0]!, /^missing: 0 MiB free of 64 MiB; 16 MiB needed: the disk is full/);
  assert.match(full[1]!, /^missing: not created, and the disk has no space for it: deletes may fail/);
  assert.equal((await tryDisk({ ...settings, databaseUrl: 'postgres://there/' })).reserve, null);
});

test('doctor fails if something required is missing; a disabled jail is reported as weak, an active one as complete', async (t) => {
  const off = await doctor({ TIERCUT_MIN_FREE_DISK: '8000000GiB', TIERCUT_SANDBOX: 'off' });
  assert.deepEqual([off.code, off.report.ok], [1, false]);
  assert.equal(off.report.findings.find(({ name }) => name === 'disk')?.state, 'missing');
  const states = (report: Report) =>
    report.findings.filter(({ name }) => name.startsWith('jail')).map(({ name, state }) => `${name} ${state}`);
  assert.deepEqual(states(off.report), [
    'jail: rlimits weak',
    'jail: landlock weak',
    'jail: seccomp weak',
    'jail: cgroup ok',
    'jail: self-test weak',
  ]);
  if (landlockAbi() === 0) return t.skip('this kernel has no Landlock');
  const required = await doctor({ TIERCUT_SANDBOX: 'required' });
  assert.deepEqual(states(required.report), [
    'jail: rlimits ok',
    'jail: landlock ok',
    'jail: seccomp ok',
    'jail: cgroup ok',
    'jail: self-test ok',
  ]);
});
