import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CALLBACK_EVENTS } from '../src/store/records/export-record.ts';
import { sourceFiles } from './source-files.ts';

/** File names look like codes; these extensions distinguish them. */
const FILE_NAME = /\.(ts|tsx|css|js|json|onnx|db|mp4|m4a|png|jpg|txt|srt|ttf|otf|tmp|wav|html|svg)$/;
/** So do files and attributes of the kernel's cgroups. */
const KERNEL_NAME = /^(cgroup|memory|pids|trusted|user)\./;
/** And what the studio keeps in a browser. */
const STORED_NAME = /^tiercut\./;
/** And fields of forms, in the list of words that the studio has for choices. */
const FIELD_WORDS = /studio\/texts\/en\/fields\.ts$/;

/** So do the events of webhooks; one of them is a code too. (C68) */
const EVENTS: ReadonlySet<string> = new Set([...CALLBACK_EVENTS, 'batch.completed']);

/** Errors that packages/client detects itself; the service never sends them. */
const CLIENT_CODE = /^client\./;

test('[C32] docs/reference/errors.md lists exactly the codes that exist', () => {
  const page = readFileSync(join(import.meta.dirname, '..', 'docs/reference/errors.md'), 'utf8');
  const documented = [...page.matchAll(/^\| `([a-z_]+\.[a-z_]+)` \|/gm)].map(([, code]) => code!);
  const used = sourceFiles()
    .filter(({ path }) => !FIELD_WORDS.test(path))
    .flatMap(({ text }) => [...text.matchAll(/'([a-z_]+\.[a-z_]+)'/g)].map(([, code]) => code!))
    .filter((code) => !FILE_NAME.test(code) && !KERNEL_NAME.test(code) && !STORED_NAME.test(code))
    .filter((code) => !CLIENT_CODE.test(code))
    .filter((code) => !EVENTS.has(code) || documented.includes(code));
  assert.deepEqual([...new Set(documented)].sort(), [...new Set(used)].sort());
  assert.equal(new Set(documented).size, documented.length, 'a code is listed twice');
});
