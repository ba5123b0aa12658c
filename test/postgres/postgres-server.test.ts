import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { seen } from '../service/export-client.ts';
import { isRunning } from '../service/process-tree.ts';

/** Starts a server, says where, and stays. */
const PROGRAM = `
  import { readFileSync } from 'node:fs';
  import { PostgresServer } from '${join(import.meta.dirname, 'postgres-server.ts')}';
  const { folder } = await PostgresServer.create();
  console.log(JSON.stringify([folder, Number(readFileSync(folder + '/data/postmaster.pid', 'utf8').split('\\n')[0])]));
  setInterval(() => {}, 1000);
`;

test('a PostgreSQL server ends with the process that started it, even if that was killed', {
  skip: process.platform !== 'linux' && 'looks for processes in /proc',
  timeout: 60_000,
}, async () => {
  const owner = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(owner.stdout), 'line')) as [string];
  const [folder, server] = JSON.parse(line) as [string, number];
  assert.ok(isRunning(server));
  owner.kill('SIGKILL');
  await seen('the end of the server', () => !isRunning(server), 20);
  await seen('the end of its folder', () => !existsSync(folder), 20);
});
