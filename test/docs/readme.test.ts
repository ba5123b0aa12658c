import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { picture, plan, sound } from '../request-builder.ts';

const ROOT = join(import.meta.dirname, '../..');

test("[C64] the README's first example has pictures, music and confetti, and makes a video of 28 s without a warning", async () => {
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
  const [, example] = /```sh\n(curl .*?)\n```/s.exec(readme)!;
  assert.ok(example!.split('\n').length <= 4);
  const [, file, timeline] = /-F tier_list=@(\S+) -F 'timeline_data=(.*?)'/.exec(example!)!;
  const [, settings] = /-F 'settings=(.*?)'/.exec(example!)!;
  const [, music] = /-F music=@(\S+)/.exec(example!)!;
  assert.ok((await stat(join(ROOT, music!))).size > 100_000);
  const tierList = JSON.parse(await readFile(join(ROOT, file!), 'utf8'));
  const documents = { tier_list: tierList, timeline_data: JSON.parse(timeline!), settings: JSON.parse(settings!) };
  const files = [...example!.matchAll(/-F (\w+)=@(\S+\.svg)/g)];
  for (const [, , path] of files) assert.match(await readFile(join(ROOT, path!), 'utf8'), /<svg/);
  const media = Object.fromEntries(files.map(([, field]) => [field, picture(field!, 400, 400)]));
  const { warnings, totalFrames, rate } = plan(documents, { ...media, music: sound('music', 30) });
  assert.deepEqual(warnings, []);
  assert.equal(totalFrames / rate.num, 28);
});

test('the README is at most 120 lines', async () => {
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
  assert.ok(readme.split('\n').length <= 121);
});
