import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { doStep, startHistory } from '../../../src/studio/document/history.ts';
import { programRequest } from '../../../src/studio/document/program-request.ts';
import { makeField } from '../../../src/studio/document/template-commands.ts';
import { ranked } from './project-builder.ts';

const SERVICE = { origin: 'http://tiercut.test:8080', id: '0190aaaa-0000-7000-8000-000000000001', needsKey: true };
const EXPORTS = `${SERVICE.origin}/projects/${SERVICE.id}/exports`;

function weekly() {
  return doStep(startHistory(ranked(4)), 'Make a template', (draft) => {
    draft.tier_list.title = "It's snack time";
    makeField(draft, { type: 'text', label: 'Title', place: '/tier_list/title' });
    draft.template!.fields.push(
      ...(['number', 'media', 'items'] as const).map((type) => ({
        ...{ name: `a_${type}`, type, label: null, help: null, required: true, default: undefined },
        ...{ min: type === 'number' ? 3 : null, max: null, options: [], kind: null },
      })),
    );
  }).project;
}

const VALUES = {
  title: "It's snack time",
  a_number: 3,
  a_items: [
    { name: 'Item 0', row: 'S' },
    { name: 'Item 1', row: 'A' },
    { name: 'Item 2', row: 'B' },
  ],
};

test('[C84] the request of a template as curl has the values of its fields, whatever stands in them', () => {
  const text = programRequest('curl', weekly(), SERVICE);
  // The shell reads the command as a program does.
  const read = spawnSync('sh', ['-c', `curl() { for each in "$@"; do printf '%s\\0' "$each"; done; }\n${text}`], {
    encoding: 'utf8',
    env: { ...process.env, TIERCUT_KEY: 'a-key' },
  });
  const [, url, ...given] = read.stdout.split('\0').slice(0, -1);
  assert.equal(url, EXPORTS);
  assert.ok(given.includes('Authorization: Bearer a-key'));
  assert.deepEqual(JSON.parse(given.at(-1)!), { values: VALUES });
  assert.ok(!programRequest('curl', weekly(), { ...SERVICE, needsKey: false }).includes('TIERCUT_KEY'));
});

test('[C84] the request of a template in TypeScript and in Python calls the client with the same values', () => {
  const packed = (text: string) => text.replace(/\s+/g, '');
  const values = packed(JSON.stringify(VALUES));
  const typed = packed(programRequest('typeScript', weekly(), SERVICE));
  assert.ok(typed.includes(`client.projects.export('${SERVICE.id}',{values:${values}})`), typed);
  const python = packed(programRequest('python', weekly(), SERVICE));
  assert.ok(python.includes(`client.export_project("${SERVICE.id}",${values})`), python);
  for (const text of [typed, python]) assert.ok(text.includes(SERVICE.origin) && text.includes('YOUR_KEY'));
});
