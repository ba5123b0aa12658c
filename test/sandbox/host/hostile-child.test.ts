import assert from 'node:assert/strict';
import { readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { z } from 'zod';
import { ExportError } from '../../../src/errors.ts';
import { childLimits } from '../../../src/sandbox/host/child-limits.ts';
import type { ChildProgram } from '../../../src/sandbox/host/child-program.ts';
import { JailedChild } from '../../../src/sandbox/host/jailed-child.ts';
import { ScratchFolder } from '../scratch-folder.ts';

interface HostileOperations {
  readonly say: {
    params: { text: string; length?: number; times?: number; out?: string };
    result: { frames: number };
  };
}

const HOSTILE_PROGRAM: ChildProgram<HostileOperations> = {
  entry: join(import.meta.dirname, 'hostile-child.ts'),
  operations: {
    say: {
      result: z.strictObject({ frames: z.int() }),
      outputs: ({ out }) => (out === undefined ? [] : [out]),
    },
  },
};

function start({ upload, workDir }: ScratchFolder): Promise<JailedChild<HostileOperations>> {
  return JailedChild.start(HOSTILE_PROGRAM, { mode: 'auto', inputs: [upload], workDir, limits: childLimits(1) });
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.catch((reason: unknown) => reason);
  assert.ok(error instanceof ExportError, String(error));
  return error.code;
}

const LIES: Readonly<Record<string, { text: string; length?: number; times?: number }>> = {
  'bytes that are no JSON': { text: 'garbage' },
  'a length of four gigabytes': { text: 'x', length: 0xffffffff },
  'an empty frame': { text: '', length: 0 },
  'an answer to a request never made': { text: '{"type":"result","id":2,"value":{"frames":1}}' },
  'a result of another shape': { text: '{"type":"result","id":1,"value":{"frames":"1"}}' },
  'a result that names a file': { text: '{"type":"result","id":1,"value":{"frames":1,"file":"/etc/passwd"}}' },
  'a message of no known type': { text: '{"type":"terms","id":1}' },
  'progress without end': { text: '{"type":"progress","id":1,"done":1,"total":2}', times: 20_000 },
  'warnings without end': {
    text: '{"type":"warning","id":1,"issue":{"path":"","code":"a.b","message":"m"}}',
    times: 1_001,
  },
};

for (const [name, params] of Object.entries(LIES)) {
  test(`[H5] a child that sends ${name} is ended`, async () => {
    using folder = new ScratchFolder();
    await using child = await start(folder);
    assert.equal(await codeOf(child.request('say', params)), 'render.misbehaved');
    assert.deepEqual(readdirSync(folder.workDir), []);
  });
}

test('a valid response passes', async () => {
  using folder = new ScratchFolder();
  await using child = await start(folder);
  const text = '{"type":"result","id":1,"value":{"frames":30}}';
  assert.deepEqual(await child.request('say', { text }), { frames: 30 });
});

test('[H5] a second report about its jail is ignored', async () => {
  using folder = new ScratchFolder();
  await using child = await start(folder);
  const before = child.jail;
  const lie = child.request('say', { text: '{"type":"jailed","report":{"layers":[],"missing":[]}}' });
  lie.catch(() => {});
  await child.request('say', { text: '{"type":"result","id":2,"value":{"frames":30}}' });
  assert.deepEqual(child.jail, before);
});

test('[H5] a result is accepted only if its file exists, is a regular file, and is nowhere else', async () => {
  const honest = (id: number) => `{"type":"result","id":${id},"value":{"frames":30}}`;
  using folder = new ScratchFolder();
  await using child = await start(folder);
  const out = join(folder.workDir, 'out.mp4');
  assert.equal(await codeOf(child.request('say', { text: honest(1), out })), 'render.output_missing');
  symlinkSync(folder.sibling, out);
  assert.equal(await codeOf(child.request('say', { text: honest(2), out })), 'render.output_missing');
  writeFileSync(join(folder.workDir, 'real.mp4'), 'x');
  const real = join(folder.workDir, 'real.mp4');
  assert.deepEqual(await child.request('say', { text: honest(3), out: real }), { frames: 30 });
});
