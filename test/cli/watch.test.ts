import assert from 'node:assert/strict';
import { readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { LocalChunkCache } from '../../src/cli/watch/local-chunk-cache.ts';
import { watchCommand } from '../../src/cli/watch/watch.ts';
import { DEFAULT_MEDIA_LIMITS } from '../../src/engine/input/media-limits.ts';
import { probe } from '../../src/engine/probe/probe-media.ts';
import { makeClip } from '../fixtures/clips.ts';
import { HeardTerminal, ScratchFolder } from './tiercut.ts';

function project(lastText: string, rest: object = {}) {
  const subtitles = ['One', 'Two', lastText].map((text, i) => ({ text, start: i * 10, duration: 10 }));
  return {
    tier_list: { title: 'Small', rows: [], items: [] },
    timeline_data: { videos: [{ file_field: 'clip', start: 0, duration: 2 }], subtitles },
    settings: { width: 160, height: 90, quality: 'draft' },
    media: { clip: 'clip.mp4' },
    ...rest,
  };
}

const WAITING = /^Waiting/;

/** Rejects when it has ended, because the awaited line will not come. */
function endOf(watching: Promise<number>): Promise<never> {
  const ended = watching.then((code) => {
    throw new Error(`watch has ended with ${code}`);
  });
  ended.catch(() => {});
  return ended;
}

test('watch renders changes, prints errors and continues, and exits cleanly', async (t) => {
  using folder = new ScratchFolder();
  const clip = await makeClip({ frames: 60, width: 64, height: 64, sound: { seconds: 2 } });
  const other = await makeClip({ frames: 30, width: 64, height: 64, sound: { seconds: 1 } });
  const file = folder.file('project.json', project('Three'));
  const out = folder.in('out.mp4');
  const terminal = new HeardTerminal();
  t.after(() => terminal.interrupt());
  const watching = watchCommand([file, '-o', out], terminal);
  const ended = endOf(watching);
  // A round that ended without the line prints its error instead.
  const heard = (like: RegExp) => Promise.race([terminal.until(like, WAITING), ended]);
  const waits = () => Promise.race([terminal.until(WAITING), ended]);

  // A missing file is reported, and waited for.
  assert.match(await heard(/unreadable/), /^\/media\/clip project\.unreadable: .*clip\.mp4" of "clip" does not/);
  await waits();
  renameSync(clip.file, folder.in('clip.mp4'));
  assert.match(await heard(/out\.mp4: /), /: 0:30 of video in [\d.]+ s, (\d+) of \1 chunks rendered/);
  const { video, audio } = await probe(out, DEFAULT_MEDIA_LIMITS);
  assert.deepEqual([video?.frames, audio?.codec], [900, 'aac']);
  const { ino } = statSync(out);

  // An editor that saves by replacing the file.
  await waits();
  renameSync(folder.file('project.json.new', project('Changed')), file);
  const [, fresh, all] = (await heard(/out\.mp4: /)).match(/ (\d+) of (\d+) chunks rendered/)!;
  assert.ok(Number(fresh) > 0 && Number(fresh) < Number(all), `${fresh} of ${all}`);
  assert.notEqual(statSync(out).ino, ino, 'another file is in its place: who plays the old one goes on');

  await waits();
  writeFileSync(file, '{ "tier_list": ');
  await heard(/json\.syntax/);
  await waits();
  writeFileSync(file, JSON.stringify(project('Three')));
  assert.match(await heard(/out\.mp4: /), / 0 of \d+ chunks rendered/, 'what was there at first is there still');

  await waits();
  renameSync(other.file, folder.in('clip.mp4'));
  assert.doesNotMatch(await heard(/out\.mp4: /), / 0 of \d+ chunks rendered/, 'a medium that was saved counts');

  await waits();
  terminal.interrupt();
  assert.equal(await watching, 0);
  assert.deepEqual(readdirSync(folder.path).toSorted(), ['.tiercut-cache', 'clip.mp4', 'out.mp4', 'project.json']);
});

test('an interrupt of watch during a render keeps the old video', async (t) => {
  using folder = new ScratchFolder();
  const { media: _, timeline_data, ...rest } = project('Long');
  const subtitles = timeline_data.subtitles.map((subtitle) => ({ ...subtitle, duration: 100 }));
  const file = folder.file('project.json', { ...rest, timeline_data: { subtitles }, settings: {} });
  const out = folder.file('out.mp4', 'the old one');
  const terminal = new HeardTerminal();
  t.after(() => terminal.interrupt());
  const begun = Promise.withResolvers<void>();
  Object.assign(terminal.status, { show: () => begun.resolve() });
  const watching = watchCommand([file, '-o', out, '--cache', folder.in('cache')], terminal);
  await Promise.race([begun.promise, terminal.until(/^no line$/, WAITING), endOf(watching)]);
  terminal.interrupt();
  assert.equal(await watching, 0);
  assert.deepEqual(readdirSync(folder.path).toSorted(), ['cache', 'out.mp4', 'project.json']);
  assert.equal(statSync(out).size, 'the old one'.length);
});

test('kept chunks never exceed their limit; the least recently used are removed first', async () => {
  using folder = new ScratchFolder();
  const cache = await LocalChunkCache.open(folder.in('cache'), 25);
  for (const [i, key] of ['a', 'b', 'c'].entries()) {
    await cache.put(key, folder.file(key, '0123456789'));
    utimesSync(folder.in(`cache/${key}.mp4`), i, i);
  }
  assert.equal(await cache.copyTo('a', folder.in('copy')), true, 'use counts');
  await cache.trim();
  assert.deepEqual(readdirSync(folder.in('cache')), ['.gitignore', 'a.mp4', 'c.mp4']);
  assert.equal(await cache.copyTo('b', folder.in('copy')), false);
  rmSync(folder.in('cache'), { recursive: true });
  await assert.rejects(LocalChunkCache.open(folder.file('file', 'x'), 25), { code: 'cli.unwritable' });
});
