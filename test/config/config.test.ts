import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configTable, readConfig, timelineLimits } from '../../src/config/config.ts';
import { VARIABLES } from '../../src/config/variables.ts';
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

test('all faults are reported together, each naming its variable, misspelt ones included', () => {
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

test('every variable has a line of documentation and a default its own parser reads', () => {
  assert.equal(configTable({}).length, Object.keys(VARIABLES).length);
  for (const { name, doc } of configTable({})) assert.match(doc, /[.…]$/, name);
  assert.equal(new Set(configTable({}).map(({ name }) => name)).size, Object.keys(VARIABLES).length);
});
