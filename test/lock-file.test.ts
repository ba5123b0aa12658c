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

/** node-av asks for werift, for WebRTC, which nothing here uses; `overrides` chooses a version of it without `ip`. */
test('ip, which has a known vulnerability (CVE-2024-29415), is not installed', () => {
  const file = join(import.meta.dirname, '..', 'package-lock.json');
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, LockedPackage> };
  assert.deepEqual(
    Object.keys(packages).filter((path) => /(^|\/)node_modules\/ip$/.test(path)),
    [],
  );
});

/** The package has the code of node-av and installs its binaries. */
test('the binaries of node-av are those of its version', () => {
  const file = join(import.meta.dirname, '..', 'package.json');
  const { devDependencies, optionalDependencies } = JSON.parse(readFileSync(file, 'utf8'));
  const node = join(import.meta.dirname, '..', 'node_modules', 'node-av', 'package.json');
  const wanted: Record<string, string> = JSON.parse(readFileSync(node, 'utf8')).optionalDependencies;
  const binaries = Object.keys(wanted).filter((name) => name.startsWith('@seydx/'));
  assert.deepEqual(
    optionalDependencies,
    Object.fromEntries(binaries.map((name) => [name, devDependencies['node-av']])),
  );
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

/** The registry that the file was made with does not have them; no test machine installs them. */
const WITHOUT_HASH = [
  ...['android-arm64', 'android-x64', 'darwin-arm64', 'darwin-x64', 'win32-arm64', 'win32-x64'].map(
    (platform) => `node_modules/@biomejs/cli-${platform}`,
  ),
  ...['android-arm64', 'darwin-arm64', 'darwin-x64', 'linux-arm-gnueabihf', 'linux-riscv64-gnu'].map(
    (platform) => `node_modules/@napi-rs/canvas-${platform}`,
  ),
  ...['win32-arm64-msvc', 'win32-x64-msvc'].map((platform) => `node_modules/@napi-rs/canvas-${platform}`),
];

test('every other package has a hash; those without one are known by name', () => {
  const file = join(import.meta.dirname, '..', 'package-lock.json');
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, LockedPackage> };
  const unchecked = Object.entries(packages)
    .filter(([path, { link }]) => path.startsWith('node_modules/') && link !== true)
    .filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-'))
    .map(([path]) => path);
  assert.deepEqual(unchecked, WITHOUT_HASH);
});

test('every dependency is pinned to one version', () => {
  const file = join(import.meta.dirname, '..', 'package.json');
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(readFileSync(file, 'utf8'));
  const loose = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }).filter(
    ([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version)),
  );
  assert.deepEqual(loose, []);
});
