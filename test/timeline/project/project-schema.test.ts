import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { DEFAULT_TIMELINE_LIMITS } from '../../../src/timeline/limits.ts';
import { DEFAULT_PRESETS } from '../../../src/timeline/presets.ts';
import { projectSchema } from '../../../src/timeline/project/project-schema.ts';

const EXAMPLES = join(import.meta.dirname, '../../../examples');
const schema = projectSchema({ limits: DEFAULT_TIMELINE_LIMITS, presets: DEFAULT_PRESETS, version: '1.0.0' });
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
const isValid = ajv.compile(schema);

/** The places of a project that the schema refuses. */
function refused(project: object): string[] {
  isValid(project);
  return [...new Set(isValid.errors?.map(({ instancePath }) => instancePath) ?? [])];
}

test('[C82] the schema takes the examples and the templates', () => {
  const templates = readdirSync(join(EXAMPLES, 'templates')).map((name) => join('templates', name));
  for (const folder of ['snacks', 'planets', ...templates]) {
    const project = JSON.parse(readFileSync(join(EXAMPLES, folder, 'project.json'), 'utf8'));
    assert.deepEqual(refused(project), [], folder);
  }
});

test('[C82] the schema refuses wrong values at their place, and takes placeholders in place of any', () => {
  const settings = { fps: 'fast', quality: 'best' };
  const project = {
    tier_list: { rows: [{ label: 'S', color: 'red' }] },
    settings,
    fields: { a: { type: 'txt' } },
    name: '',
  };
  const places = refused(project);
  for (const place of [
    '/tier_list/rows/0',
    '/tier_list/rows/0/color',
    '/settings/fps',
    '/settings/quality',
    '/fields/a/type',
    '/name',
  ]) {
    assert.ok(places.includes(place), `${place}: ${places}`);
  }
  const filled = {
    tier_list: { rows: [{ id: 's', color: '{{ c }}' }] },
    settings: { fps: '{{fps}}', quality: '{{q}}' },
  };
  assert.deepEqual(refused(filled), []);
});

test('[C82] every field that the schema offers says what it means', () => {
  const defs = schema.$defs as Record<string, { properties?: Record<string, { description?: string; $ref?: string }> }>;
  for (const [name, { properties = {} }] of Object.entries(defs)) {
    for (const [field, one] of Object.entries(properties)) assert.ok(one.description ?? one.$ref, `${name}.${field}`);
  }
});
