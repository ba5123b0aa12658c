import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { facts, TIER_LIST } from '../request-builder.ts';
import { tiercut } from './tiercut.ts';

const folder = mkdtempSync(join(tmpdir(), 'tiercut-'));
after(() => rmSync(folder, { recursive: true }));

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const project = {
  tier_list: TIER_LIST,
  timeline_data: { videos: [{ id: 'v', file_field: 'a', duration: 2 }] },
  media: { a: 'a.mp4' },
};
const factsFile = file('facts.json', { a: facts('a') });

test('tiercut plan prints the plan of a project, for any preset', () => {
  const { status, stdout } = tiercut('plan', file('good.json', project), '--facts', factsFile, '--preset', 'square');
  assert.equal(status, 0);
  assert.match(stdout, /^preset preset_three {2}1080×1080 {2}30 fps/);
  assert.match(stdout, /c0 "v" video #0 \[0, 60\) 0–2 s/);
});

test('[C43] tiercut plan reads the subtitle files of a project', () => {
  file('subs.srt', '1\n00:00:00,500 --> 00:00:01,500\n<b>From</b> a file\n');
  const timeline_data = { ...project.timeline_data, subtitle_files: [{ file_field: 'subs' }] };
  const media = { ...project.media, subs: 'subs.srt' };
  const subtitled = file('subtitled.json', { ...project, timeline_data, media });
  const { status, stdout, stderr } = tiercut('plan', subtitled, '--facts', factsFile);
  assert.equal(status, 0, stderr);
  assert.match(stdout, /\[15, 45\).*"From a file"/);
  const missing = file('missing.json', { ...project, timeline_data, media: { ...media, subs: 'nowhere.srt' } });
  assert.match(tiercut('plan', missing, '--facts', factsFile).stderr, /nowhere\.srt/);
});

test('tiercut plan --json prints a plan for programs', () => {
  const { stdout } = tiercut('plan', file('good.json', project), '--facts', factsFile, '--json');
  assert.equal(JSON.parse(stdout).totalFrames, 60);
});

test('errors of a project are printed to stderr with their path; the exit code depends on the kind', () => {
  const timeline_data = { videos: [{ id: 'v', file_field: 'a', speed: 99 }] };
  const wrong = tiercut('plan', file('wrong.json', { ...project, timeline_data }), '--facts', factsFile);
  assert.deepEqual([wrong.status, wrong.stdout], [2, '']);
  assert.match(
    wrong.stderr,
    /^\/timeline_data\/videos\/0\/speed field\.range: speed must be a number from 0\.1 to 10, not 99\.\n/,
  );
  assert.equal(tiercut('plan', join(folder, 'nowhere.json'), '--facts', factsFile).status, 3);
  assert.match(tiercut('plan', file('cut.json', '{"tier_list": {'), '--facts', factsFile).stderr, /json\.syntax/);
  assert.equal(tiercut('plan', file('good.json', project), '--nonsense').status, 2);
});

test('no command prints help; an unknown command prints help and an error', () => {
  assert.equal(tiercut().status, 0);
  const { status, stderr } = tiercut('paln');
  assert.deepEqual([status, stderr.split('\n')[0]], [2, 'There is no command "paln".']);
});

test('tiercut config lists every variable', () => {
  const { status, stdout } = tiercut('config');
  assert.equal(status, 0);
  assert.match(stdout, /^TIERCUT_MAX_JSON_DEPTH +32 +Deepest nesting/m);
});

test('[C83] --values puts values into the fields of a template: JSON, or a file', () => {
  const template = file('template.json', {
    timeline_data: { subtitles: [{ text: '{{title}}', start: 0, duration: '{{seconds}}' }] },
    tier_list: {},
    fields: { title: { type: 'text', required: true }, seconds: { type: 'number', default: 1, max: 9 } },
  });
  const inline = tiercut('plan', template, '--values', '{"title": "Rye {{x}}", "seconds": 2}');
  assert.equal(inline.status, 0, inline.stderr);
  assert.match(inline.stdout, /\[0, 60\).*"Rye \{\{x\}\}"/, 'braces of a value are not read');
  assert.match(
    tiercut('plan', template, '--values', file('values.json', { title: 'Oats' })).stdout,
    /\[0, 30\).*"Oats"/,
  );
  const refused = (values: string, ...message: readonly RegExp[]) => {
    const { status, stderr } = tiercut('plan', template, '--values', values);
    assert.ok(status !== 0);
    for (const one of message) assert.match(stderr, one);
  };
  refused('{}', /values.*"title" is missing/);
  refused(
    '{"seconds": 10, "titel": ""}',
    /\/values\/seconds/,
    /\/values\/titel.*Did you mean "title"/,
    /"title" is missing/,
  );
  refused('{"title": ', /json|JSON/);
  refused('nowhere.json', /nowhere\.json.*does not exist/);
  const plain = tiercut('plan', file('good.json', project), '--facts', factsFile, '--values', '{"title": "x"}');
  assert.match(plain.stderr, /The template has no field "title"/);
});
