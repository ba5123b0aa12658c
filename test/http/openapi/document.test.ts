import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openApiTypes } from '../../../build/openapi-types.ts';
import { openApiDocument } from '../../../src/http/openapi/document.ts';
import { withOneBody } from '../../../src/http/openapi/form-body.ts';
import { DEFAULT_PRESETS, type Presets } from '../../../src/timeline/presets.ts';
import { LIMITS, serve } from '../serve.ts';
import { PROGRAM } from './program.ts';

const require = createRequire(import.meta.url);
const CONFIG = { version: '1.2.3' };

interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

interface LintProblem {
  readonly severity: string;
  readonly ruleId: string;
  readonly message: string;
  readonly location: readonly { readonly pointer?: string }[];
}

/** Everything Redocly can find fault with, of the rules that apply to any API. */
const STRICTER = [
  ...['array-parameter-serialization', 'component-name-unique', 'no-duplicated-tag-names', 'no-unused-components'],
  ...['no-invalid-media-type-examples', 'no-invalid-parameter-examples', 'no-invalid-schema-examples'],
  ...['no-required-schema-properties-undefined', 'operation-parameters-unique'],
  ...['operation-singular-tag', 'operation-tag-defined', 'parameter-description', 'path-params-defined'],
  ...['spec-strict-refs', 'tag-description'],
];

test('[C31] Redocly reports no errors, and every example matches its schema', async () => {
  const { createConfig, lintFromString } = require('@redocly/openapi-core');
  const rules = Object.fromEntries(STRICTER.map((rule) => [rule, 'error']));
  const config = await createConfig({ extends: ['recommended'], rules });
  const source = JSON.stringify(openApiDocument(CONFIG));
  const found: LintProblem[] = await lintFromString({ source, config });
  // The root only redirects to another page.
  const faults = found.filter(
    ({ ruleId, location }) =>
      ruleId !== 'operation-2xx-response' || location[0]?.pointer !== '#/paths/~1/get/responses',
  );
  const reported = faults.map(
    ({ severity, ruleId, message, location }) => `${severity} ${ruleId}: ${message} ${location[0]?.pointer}`,
  );
  assert.deepEqual(reported, []);
});

test('[C31] every schema and every field has a description', () => {
  const schemas = openApiDocument(CONFIG).components.schemas as Record<string, Schema>;
  const bare = (schema: Schema, path: string): string[] => {
    const { properties = {}, items, additionalProperties: more, anyOf = [], oneOf = [], allOf = [] } = schema;
    const fields = Object.entries(properties).flatMap(([name, field]) => {
      const found = field.description ?? schemas[field.$ref?.split('/').at(-1) ?? '']?.description;
      return [...(found ? [] : [`${path}.${name}`]), ...bare(field, `${path}.${name}`)];
    });
    const inner = [
      ...(items ? [items] : []),
      ...(typeof more === 'object' ? [more] : []),
      ...anyOf,
      ...oneOf,
      ...allOf,
    ];
    return [...fields, ...inner.flatMap((each) => bare(each, path))];
  };
  const missing = Object.entries(schemas).flatMap(([name, schema]) => [
    ...(schema.description ? [] : [name]),
    ...bare(schema, name),
  ]);
  assert.deepEqual(missing, []);
});

test('[C25] the forms of older clients are offered and not deprecated, and the policy gives them no end', () => {
  const { components } = openApiDocument(CONFIG) as {
    components: { schemas: Record<string, { deprecated?: boolean }> };
  };
  for (const name of ['LegacyExportForm', 'LegacyFrameForm'])
    assert.equal(components.schemas[name]?.deprecated, undefined);
  const policy = readFileSync(join(import.meta.dirname, '../../../docs/reference/api.md'), 'utf8').split(
    '## Versions and deprecation',
  )[1]!;
  assert.match(policy, /`timeline_json` and `media_manifest`.* are not deprecated\./);
});

test('[C32] the document lists every error code of a response, and allows those of later releases', () => {
  const { ErrorCode, Issue, Problem, Failure } = openApiDocument(CONFIG).components.schemas as Record<string, Schema>;
  const page = readFileSync(join(import.meta.dirname, '../../../docs/reference/errors.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z_]+\.[a-z_]+)` \|/gm)].map(([, code]) => code!);
  const local = page.indexOf('## Command line and configuration');
  assert.ok(local > 0);
  assert.deepEqual(
    ErrorCode!.enum,
    rows.filter((code) => page.indexOf(`\n| \`${code}\` |`) < local),
  );
  assert.ok(ErrorCode!.enum!.includes('field.unknown') && !ErrorCode!.enum!.includes('cli.usage'));
  const open = {
    anyOf: [{ $ref: '#/components/schemas/ErrorCode' }, { type: 'string' }],
    description: 'A stable code.',
  };
  for (const { properties } of [Issue!, Problem!, Failure!]) assert.deepEqual(properties!.code, open);
});

test('[C31] a program compiles against the types that openapi-typescript generates from the document', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tiercut-types-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'api.ts'), await openApiTypes(openApiDocument(CONFIG)));
  await writeFile(join(folder, 'program.ts'), PROGRAM);
  const tsc = join(import.meta.dirname, '../../../node_modules/typescript/bin/tsc');
  const options = [
    '--ignoreConfig',
    '--strict',
    '--noEmit',
    '--noUncheckedIndexedAccess',
    '--skipLibCheck',
    '--types',
    '',
  ];
  const target = ['--target', 'esnext', '--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'esnext,dom'];
  const run = spawnSync(process.execPath, [tsc, ...options, ...target, join(folder, 'program.ts')], {
    encoding: 'utf8',
  });
  assert.equal(run.stdout, '');
  assert.equal(run.status, 0, run.stderr);
});

test('[C25, C31] the documents for generators have one type for each body, without the fields of older clients', async () => {
  const document = openApiDocument(CONFIG);
  const { lintFromString, createConfig } = require('@redocly/openapi-core');
  for (const body of ['form', 'json']) {
    const source = JSON.stringify(withOneBody(document, body));
    assert.doesNotMatch(source, /Legacy/);
    const { paths, components } = JSON.parse(source);
    const sent = JSON.stringify([paths['/video/exports'].post.requestBody, components.schemas.ExportForm]);
    assert.doesNotMatch(sent, /timeline_json|media_manifest/);
    const config = await createConfig({ rules: { 'no-unresolved-refs': 'error', 'spec-strict-refs': 'error' } });
    assert.deepEqual(await lintFromString({ source, config }), []);
  }
});

test('[C31] the document is the same whatever keys, presets and limits a deployment has', async (t) => {
  const [first, ...others] = DEFAULT_PRESETS;
  const presets = [{ ...first, name: 'wide', width: 1280, height: 720 }, ...others] as unknown as Presets;
  const other = {
    presets,
    limits: { ...LIMITS, maxItems: 7 },
    apiKeys: [{ tenant: 'ann', key: 'key-of-ann-1234567' }],
  };
  const services = [await serve(t), await serve(t, other)];
  const texts = await Promise.all(services.map(async ({ base }) => (await fetch(`${base}/openapi.json`)).text()));
  assert.equal(texts[0], texts[1]);
});
