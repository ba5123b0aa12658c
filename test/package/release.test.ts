import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { followVersion } from '../../build/versions.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const PACKAGES = ['package.json', 'packages/client/package.json', 'packages/n8n/package.json'].map((path) => ({
  path,
  ...JSON.parse(textOf(path)),
}));

test('the lock file, the clients and the manifests have the version of package.json', () => {
  const [{ version }] = PACKAGES;
  const lock = JSON.parse(textOf('package-lock.json'));
  assert.deepEqual([lock.version, lock.packages[''].version], [version, version]);
  for (const [path, text] of followVersion(ROOT)) assert.equal(textOf(path), text, `${path}: run npm run version`);
});

test('.nvmrc names the major version of Node that the project brings', () => {
  const [{ dependencies }] = PACKAGES;
  assert.equal(textOf('.nvmrc').trim(), dependencies.node.split('.')[0]);
});

test('a program that resolves modules as Node 10 did finds the types of the client where others find them', () => {
  const client = JSON.parse(textOf('packages/client/package.json'));
  const { '.': main, './package.json': _, ...others } = client.exports;
  assert.deepEqual([client.main, client.types], [main.default, main.types]);
  const typed = Object.entries<{ types: string }>(others).map(([path, { types }]) => [path.slice(2), [types]]);
  assert.notEqual(typed.length, 0);
  assert.deepEqual(client.typesVersions, { '*': Object.fromEntries(typed) });
});

test('every package names its repository, homepage and issues', (t) => {
  for (const { path, homepage, bugs, repository } of PACKAGES) {
    for (const address of [homepage, bugs, repository.url]) {
      assert.match(address, /^(git\+)?https:\/\/github\.com\/[\w-]+\/tiercut\b/, path);
      if (address.includes('/OWNER/')) t.diagnostic(`${path} still has a placeholder: ${address}`);
    }
  }
});
