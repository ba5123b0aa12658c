import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientLimits, configTable, readConfig, timelineLimits, VARIABLES } from '../../src/config/config.ts';
import { environmentWith } from '../../src/config/environment.ts';
import { ExportError } from '../../src/errors.ts';
import { DEFAULT_TIMELINE_LIMITS } from '../../src/timeline/limits.ts';
import { DEFAULT_PRESETS } from '../../src/timeline/presets.ts';

test('an empty environment gives the documented defaults', () => {
  const config = readConfig({});
  assert.deepEqual([config.host, config.port, config.dataDir, config.sandbox], ['127.0.0.1', 8080, './data', 'auto']);
  assert.deepEqual(config.presets, DEFAULT_PRESETS);
  assert.equal(config.maxRequestBytes, 2 * 1024 ** 3);
  for (const [key, value] of Object.entries(DEFAULT_TIMELINE_LIMITS)) {
    assert.equal(timelineLimits(config)[key as keyof typeof DEFAULT_TIMELINE_LIMITS], value, key);
  }
});

test('all configuration errors are reported together, each with its variable, misspelt ones included', () => {
  const env = {
    PORT: 'http',
    TIERCUT_SANDBOX: 'on',
    TIERCUT_MAX_FILE_BYTES: '1 GB',
    TIERCUT_PRSETS: '[]',
    PATH: '/bin',
  };
  assert.throws(
    () => readConfig(env),
    (error) => {
      assert.ok(error instanceof ExportError);
      assert.deepEqual(error.issues.map(({ path }) => path).sort(), [
        'PORT',
        'TIERCUT_MAX_FILE_BYTES',
        'TIERCUT_PRSETS',
        'TIERCUT_SANDBOX',
      ]);
      assert.match(error.message, /TIERCUT_SANDBOX must be auto \| required \| off, not "on"/);
      return true;
    },
  );
});

test('[C11] the presets are configuration: names, sizes, aliases', () => {
  const own = ['wide', 'tall', 'even'].map((name) => ({ name, width: 640, height: 360, aliases: [`${name}2`] }));
  assert.deepEqual(readConfig({ TIERCUT_PRESETS: JSON.stringify(own) }).presets, own);
  const refused = [
    '[]',
    'no json',
    JSON.stringify(own.slice(1)),
    JSON.stringify(own.map((preset) => ({ ...preset, name: 'same' }))),
    JSON.stringify(own.map((preset) => ({ ...preset, width: 641 }))),
    JSON.stringify(own.map((preset) => ({ ...preset, name: `a/${preset.name}` }))),
  ];
  for (const TIERCUT_PRESETS of refused)
    assert.throws(() => readConfig({ TIERCUT_PRESETS }), ExportError, TIERCUT_PRESETS);
});

test('every variable has documentation and a default that its own parser accepts', () => {
  assert.equal(configTable({}).length, Object.keys(VARIABLES).length);
  for (const { name, doc } of configTable({})) assert.match(doc, /[.…]$/, name);
  assert.equal(new Set(configTable({}).map(({ name }) => name)).size, Object.keys(VARIABLES).length);
});

test('TIERCUT_TRUST_PROXY takes off, on, a number of proxies, or networks', () => {
  const trusted = (TIERCUT_TRUST_PROXY: string) => readConfig({ TIERCUT_TRUST_PROXY }).trustProxy;
  assert.equal(readConfig({}).trustProxy, false);
  assert.deepEqual(['off', 'on', '1', '3'].map(trusted), [false, 1, 1, 3]);
  assert.deepEqual(trusted('10.0.0.0/8, 192.0.2.1,fd00::/8'), ['10.0.0.0/8', '192.0.2.1', 'fd00::/8']);
  for (const wrong of ['yes', '0', '17', '10.0.0.0/33', 'fd00::/129', 'proxy.example', '10.0.0.0/8,', '']) {
    assert.throws(() => trusted(wrong), ExportError, wrong);
  }
});

test('names and addresses are validated', () => {
  assert.deepEqual(readConfig({ TIERCUT_HOSTS: 'Studio.example, tiercut' }).hosts, ['studio.example', 'tiercut']);
  assert.throws(() => readConfig({ TIERCUT_HOSTS: 'https://studio.example' }), ExportError);
  const address = (TIERCUT_METRICS_ADDRESS: string) => readConfig({ TIERCUT_METRICS_ADDRESS }).metricsAddress;
  assert.equal(address(''), null);
  assert.deepEqual(address('127.0.0.1:9090'), { host: '127.0.0.1', port: 9090 });
  assert.deepEqual(address('[::1]:9090'), { host: '::1', port: 9090 });
  for (const wrong of ['9090', ':9090', '127.0.0.1', '::1:9090', 'a:99999'])
    assert.throws(() => address(wrong), ExportError);
});

test('settings of the operator override the defaults of an embedding program', () => {
  const { PATH } = process.env;
  assert.deepEqual(environmentWith({ PATH: '/nowhere', TIERCUT_TEST_OTHER: '2' }), {
    ...process.env,
    PATH,
    TIERCUT_TEST_OTHER: '2',
  });
});

test('TIERCUT_CGROUP takes auto, off, or a path below the root', () => {
  const read = (given: string) => readConfig({ TIERCUT_CGROUP: given }).cgroup;
  assert.deepEqual(['auto', 'off', '/tiercut', '/a.slice/b'].map(read), ['auto', 'off', '/tiercut', '/a.slice/b']);
  for (const wrong of ['', '/', 'tiercut', '/a/', '/a/../b', '/..', '//a', '/.'])
    assert.throws(() => read(wrong), wrong);
});

test('secrets are never printed', () => {
  const env = {
    TIERCUT_API_KEYS: 'ann:0123456789abcdef',
    TIERCUT_WEBHOOK_SECRET: 'whsec_c2VjcmV0cyBhcmUgbmV2ZXIgcHJpbnRlZA==',
    TIERCUT_METRICS_KEY: '0123456789abcdef',
  };
  assert.doesNotMatch(JSON.stringify(configTable(env)), /0123456789|whsec_c2V/);
  assert.throws(
    () => readConfig({ TIERCUT_API_KEYS: 'hush' }),
    (error) => {
      assert.ok(error instanceof ExportError);
      assert.doesNotMatch(error.message, /hush/);
      return true;
    },
  );
});

test('[C41] a tenant may have its own webhook secrets, several at a time', () => {
  const [first, second, third] = [16, 32, 64].map((length) => secretOf(length));
  const TIERCUT_WEBHOOK_SECRETS = `alice:${first}, alice:${second},bob:${third}`;
  assert.deepEqual(readConfig({ TIERCUT_WEBHOOK_SECRETS }).webhookSecrets, [
    { tenant: 'alice', secret: first },
    { tenant: 'alice', secret: second },
    { tenant: 'bob', secret: third },
  ]);
  for (const refused of [first!, 'alice:short', `alice:${first},,`, `a/b:${first}`, 'alice:the-first-of-alice'])
    assert.throws(() => readConfig({ TIERCUT_WEBHOOK_SECRETS: refused }), ExportError, refused);
});

test('[C37] a webhook secret that published verifiers cannot decode is refused, with the command that makes one', () => {
  const TIERCUT_WEBHOOK_SECRET = secretOf(24);
  assert.equal(readConfig({ TIERCUT_WEBHOOK_SECRET }).webhookSecret, TIERCUT_WEBHOOK_SECRET);
  const { length } = TIERCUT_WEBHOOK_SECRET;
  const wrong = [
    'any text, however long it is',
    'whsec_',
    secretOf(15),
    secretOf(65),
    `${TIERCUT_WEBHOOK_SECRET.slice(0, length - 1)}!`,
  ];
  for (const refused of wrong)
    assert.throws(() => readConfig({ TIERCUT_WEBHOOK_SECRET: refused }), /tiercut secret/, refused);
});

function secretOf(length: number): string {
  return `whsec_${Buffer.alloc(length, 'secret').toString('base64')}`;
}

test('[C41] the public address is an origin without a trailing slash', () => {
  const read = (TIERCUT_PUBLIC_URL: string) => readConfig({ TIERCUT_PUBLIC_URL }).publicUrl;
  assert.equal(read(''), null);
  assert.equal(read('https://Videos.example.com/'), 'https://videos.example.com');
  assert.equal(read('http://10.0.0.1:8080/tiers/'), 'http://10.0.0.1:8080/tiers');
  for (const wrong of ['videos.example.com', 'ftp://x', 'https://a:b@x', 'https://x/?a', 'https://x/#a', 'https://']) {
    assert.throws(() => read(wrong), /TIERCUT_PUBLIC_URL must be an address/, wrong);
  }
});

test('[C70] limits have plain names and numbers, and only those that a client can act on are listed', () => {
  const limits = clientLimits(readConfig({ TIERCUT_MAX_MEDIA_BYTES: '7GiB', TIERCUT_REQUESTS_PER_MINUTE: '30' }));
  assert.deepEqual([limits.max_media_bytes, limits.requests_per_minute], [7 * 2 ** 30, 30]);
  assert.equal(limits.max_file_bytes, 2 ** 30);
  assert.deepEqual([limits.fetch_seconds, limits.max_tenant_fetches], [600, 4]);
  assert.ok(Object.values(limits).every((limit) => typeof limit === 'number'));
  const names = Object.keys(limits);
  assert.deepEqual(
    names.filter((name) => !/^[a-z]+(_[a-z]+)+$/.test(name) || /child|lease|disk|cache|port/.test(name)),
    [],
  );
});
