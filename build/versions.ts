import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const MANIFESTS = ['api', 'migrate', 'worker'].map((name) => `deploy/kubernetes/base/${name}.yaml`);

/** The files that repeat the version of package.json, as they should be. */
export function followVersion(root: string): ReadonlyMap<string, string> {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const replaced = (path: string, pattern: RegExp, to: string) => [path, read(path).replace(pattern, to)] as const;
  return new Map([
    replaced('packages/client/package.json', /"version": "[^"]+"/, `"version": "${version}"`),
    replaced('packages/n8n/package.json', /"version": "[^"]+"/, `"version": "${version}"`),
    replaced('packages/python/pyproject.toml', /^version = ".*"$/m, `version = "${pythonVersion(version)}"`),
    ...MANIFESTS.map((path) => replaced(path, /image: tiercut:\S+/, `image: tiercut:${version}`)),
  ]);
}

/** `1.0.0-rc.1` as Python writes it (PEP 440): `1.0.0rc1`. */
function pythonVersion(version: string): string {
  return version.replace(/-rc\.(?=\d+$)/, 'rc');
}
