import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { ServiceFixture } from '../service/service-fixture.ts';

const PROGRAM = join(import.meta.dirname, '../../bench/attack.ts');

function attack(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('[H42] npm run attack refuses addresses of other machines', () => {
  const others = [
    'http://192.0.2.1:8080',
    'http://0.0.0.0:8080',
    'http://[::ffff:192.0.2.1]',
    'https://127.0.0.1',
    'x',
  ];
  for (const address of others) {
    const { status, stdout, stderr } = attack(address);
    assert.equal(status, 2, `${address}: ${stdout}${stderr}`);
    assert.match(stderr, /is not an http address of this machine/);
  }
});

test('[H19, H42] npm run attack with an address runs what a client with these keys can do', async () => {
  const TIERCUT_API_KEYS = 'ann:the-key-of-ann-01,bob:the-key-of-bob-01';
  await using service = await ServiceFixture.start({ TIERCUT_API_KEYS, TIERCUT_PRERENDER: 'selected' });
  const verdicts = (...keys: readonly string[]) => {
    const { stdout, stderr } = attack(service.base, ...keys.flatMap((key) => ['--key', key]));
    assert.equal(stderr, '');
    return Object.fromEntries(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split(/ +/, 2).toReversed()),
    );
  };
  const both = verdicts('the-key-of-ann-01', 'the-key-of-bob-01');
  assert.deepEqual(
    [both['request-smuggling'], both['foreign-ids'], both['costly-responses']],
    ['held', 'held', 'skipped'],
  );
  const none = verdicts();
  assert.deepEqual(
    [none['request-smuggling'], none['foreign-ids'], none['slow-headers']],
    ['held', 'skipped', 'skipped'],
  );
});
