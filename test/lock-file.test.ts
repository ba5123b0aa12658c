import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** `npm install` beside an existing node_modules can forget other platforms' binaries; `npm ci` then refuses the file. */
test('the lock file has the binaries of every platform', () => {
  const file = join(import.meta.dirname, '..', 'package-lock.json');
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, LockedPackage> };
  const known = Object.keys(packages);
  const forgotten = Object.entries(packages).flatMap(([parent, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter(
        (name) => !known.some((path) => path === `node_modules/${name}` || path.endsWith(`/node_modules/${name}`)),
      )
      .map((name) => `${name}, wanted by ${parent}`),
  );
  assert.deepEqual(forgotten, []);
});

test('packages installed on Linux, on x64 or arm64, are checked against a hash', () => {
  const file = join(import.meta.dirname, '..', 'package-lock.json');
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, LockedPackage> };
  const unchecked = Object.entries(packages)
    .filter(([path, { link }]) => path.startsWith('node_modules/') && link !== true)
    .filter(([, { os = ['linux'], cpu = ['x64'] }]) => os.includes('linux') && /\b(x64|arm64)\b/.test(cpu.join()))
    .filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-'))
    .map(([path]) => path);
  assert.deepEqual(unchecked, []);
});

test('every dependency is pinned to one version', () => {
  const file = join(import.meta.dirname, '..', 'package.json');
  const { dependencies, devDependencies } = JSON.parse(readFileSync(file, 'utf8'));
  const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
    ([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version)),
  );
  assert.deepEqual(loose, []);
});
