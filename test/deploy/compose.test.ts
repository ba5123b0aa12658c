import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { COMMANDS } from '../../src/cli/command-line/commands.ts';
import { readConfig, VARIABLES } from '../../src/config/config.ts';
import { deploymentOf } from '../../src/config/deployment.ts';

const require = createRequire(import.meta.url);
const { load } = require('js-yaml') as { load(text: string): unknown };
const ROOT = join(import.meta.dirname, '..', '..');

interface ComposeService {
  readonly build?: string;
  readonly image?: string;
  readonly command?: readonly string[];
  readonly restart?: string;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly configs?: readonly { readonly source: string }[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: readonly string[] | Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly disable?: boolean; readonly test?: readonly string[] };
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
}

/** As `docker compose` reads them. */
interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes?: Readonly<Record<string, unknown>>;
  readonly configs?: Readonly<Record<string, { readonly content: string }>>;
}

const FILES = ['compose.yaml', 'compose.cluster.yaml'] as const;
const composes = FILES.map((file) => ({ file, compose: load(readFileSync(join(ROOT, file), 'utf8')) as Compose }));
const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');

/** What docker compose puts in: of `${NAME:-…}` what follows, of `${NAME:?…}` a value of the operator's. */
function filledIn(text: string): string {
  return String(text).replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name, how, other) =>
    how === '-' ? other : `of-${name.toLowerCase()}`,
  );
}

for (const { file, compose } of composes) {
  const services = Object.entries(compose.services);

  test(`${file}: services, volumes and configs that are named exist, and all of them are named`, () => {
    const conditions = services.flatMap(([, { depends_on: after = [] }]) => conditionsOf(after));
    for (const [name, condition] of conditions) {
      const needed = compose.services[name];
      assert.ok(needed, name);
      if (condition === 'service_healthy') assert.ok(needed.healthcheck?.test, `${name} has no health check`);
      // A service that is started again never completes.
      if (condition === 'service_completed_successfully') assert.equal(needed.restart, 'no', name);
    }
    const mounted = services.flatMap(([, { volumes = [] }]) => volumes.filter((volume) => !volume.startsWith('/')));
    assert.deepEqual(namesIn(mounted), Object.keys(compose.volumes ?? {}).toSorted());
    const configs = services.flatMap(([, service]) => (service.configs ?? []).map(({ source }) => source));
    assert.deepEqual(namesIn(configs), Object.keys(compose.configs ?? {}).toSorted());
    for (const [name, { image, build }] of services) {
      assert.ok((image === undefined) !== (build === undefined), name);
      if (image !== undefined) assert.match(image, /:[^:]*\d/, `${name} has no version`);
    }
  });

  test(`${file}: addresses name its services, and the ports are those of the image`, () => {
    const text = JSON.stringify([services, compose.configs]);
    const hosts = [...text.matchAll(/(?:https?:\/\/|@|server )([a-z][\w-]*)(?::\d+)?[\s/;]/g)].map(([, host]) => host!);
    // nginx has its own names.
    const others = new Set(Object.keys(compose.configs ?? {}).length > 0 ? ['api'] : []);
    assert.deepEqual(
      hosts.filter((host) => !Object.hasOwn(compose.services, host) && !others.has(host)),
      [],
    );
    const [, port] = /^EXPOSE (\d+)$/m.exec(dockerfile)!;
    for (const [name, { build, ports = [] }] of services) {
      if (build !== undefined) for (const published of ports) assert.ok(published.endsWith(`:${port}`), name);
      // Without keys everybody may use it: it is not open to the network.
      for (const published of ports) assert.match(published, /^127\.0\.0\.1:/, name);
    }
  });

  test(`${file}: variables and commands are those of this release, and valid together`, () => {
    const known = new Set<string>(Object.values(VARIABLES).map(({ name }) => name));
    const folder = /TIERCUT_DATA_DIR=(\S+)/.exec(dockerfile)![1]!;
    const own = services.filter(([, { build }]) => build !== undefined);
    assert.ok(own.length > 0);
    for (const [name, { command, environment = {}, volumes = [], ...rest }] of own) {
      const unknown = Object.keys(environment).filter((key) => !known.has(key) && !key.startsWith('AWS_'));
      assert.deepEqual(unknown, [], name);
      const [node, program, role = '', ...options] = command ?? ['node_modules/.bin/node', 'dist/main.js', 'serve'];
      assert.deepEqual([node, program], ['node_modules/.bin/node', 'dist/main.js'], name);
      assert.ok(Object.hasOwn(COMMANDS, role), name);
      const { options: allowed } = COMMANDS[role as keyof typeof COMMANDS];
      for (const option of options) assert.ok(Object.hasOwn(allowed, option.replace(/^--/, '')), option);
      const filled = Object.entries(environment).map(([key, value]) => [key, filledIn(value)]);
      const config = readConfig(Object.fromEntries(filled));
      if (role === 'migrate') continue;
      deploymentOf(config, role === 'work' ? 'work' : options.includes('--no-render') ? 'api' : 'serve');
      assert.equal(config.sandbox, 'required', name);
      assert.ok(
        volumes.some((volume) => volume.split(':').at(-1) === folder),
        `${name} has no ${folder}`,
      );
      assert.deepEqual([rest.read_only, rest.cap_drop], [true, ['ALL']], name);
    }
  });
}

/** The names of services, each with what it must be before. */
function conditionsOf(after: NonNullable<ComposeService['depends_on']>): (readonly [string, string])[] {
  if (isList(after)) return after.map((name) => [name, 'service_started']);
  return Object.entries(after).map(([name, { condition }]) => [name, condition]);
}

function isList(after: NonNullable<ComposeService['depends_on']>): after is readonly string[] {
  return Array.isArray(after);
}

/** Of `volume:/path`, or of names: each once. */
function namesIn(given: readonly string[]): string[] {
  return [...new Set(given.map((one) => one.split(':')[0]!))].toSorted();
}
