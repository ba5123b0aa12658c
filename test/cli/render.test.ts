import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { renderCommand } from '../../src/cli/render/render.ts';
import { DEFAULT_MEDIA_LIMITS } from '../../src/engine/input/media-limits.ts';
import { probe } from '../../src/engine/probe/probe-media.ts';
import type { ExportError } from '../../src/errors.ts';
import { makeClip } from '../fixtures/clips.ts';
import { HeardTerminal, ScratchFolder } from './tiercut.ts';

async function rendered(args: readonly string[]): Promise<{ files: string[]; said: string[]; folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'tiercut-render-'));
  const clip = await makeClip({ frames: 45, width: 64, height: 64, sound: { seconds: 1.5 } });
  const project = join(folder, 'project.json');
  const documents = {
    tier_list: { title: 'Small', rows: [], items: [] },
    timeline_data: { videos: [{ file_field: 'clip', start: 0, duration: 1.5 }] },
    settings: { width: 160, height: 90, quality: 'draft' },
    media: { clip: clip.file },
  };
  writeFileSync(project, JSON.stringify(documents));
  const said: string[] = [];
  const terminal = {
    out: (line: string) => said.push(line),
    err: (line: string) => said.push(line),
    status: { show: () => {}, end: () => {} },
    signal: new AbortController().signal,
  };
  const out = join(folder, 'video.mp4');
  assert.equal(await renderCommand([project, '-o', out, ...args], terminal), 0);
  return { files: readdirSync(folder).filter((name) => name.endsWith('.mp4')), said, folder };
}

test('one preset is one file', async () => {
  const { files, folder } = await rendered([]);
  assert.deepEqual(files, ['video.mp4']);
  assert.deepEqual(readdirSync(folder).toSorted(), ['project.json', 'video.mp4']);
  rmSync(folder, { recursive: true });
});

test('[C73] each preset is written to a file named after its first alias, and all have the same sound', async () => {
  const { files, said, folder } = await rendered(['--preset', 'all', '--json']);
  assert.deepEqual(files.toSorted(), ['video-landscape.mp4', 'video-portrait.mp4', 'video-square.mp4']);
  const sizes: unknown[] = [];
  for (const name of ['landscape', 'portrait', 'square']) {
    const { video, audio } = await probe(join(folder, `video-${name}.mp4`), DEFAULT_MEDIA_LIMITS);
    sizes.push([video?.picture.width, video?.picture.height, video?.frames, audio?.codec]);
  }
  assert.deepEqual(sizes, [
    [160, 90, 45, 'aac'],
    [1080, 1920, 45, 'aac'],
    [1080, 1080, 45, 'aac'],
  ]);
  const events = said.map((line) => JSON.parse(line) as { event: string; frames?: number; total?: number });
  assert.equal(events.filter(({ event }) => event === 'done').length, 3);
  assert.deepEqual(events.filter(({ event }) => event === 'progress').map(({ total }) => total)[0], 3 * 45);
  rmSync(folder, { recursive: true });
});

test('[C52] each short is a portrait file; without reveals there are no shorts', async () => {
  using folder = new ScratchFolder();
  const project = (tier_tiles: object[]) =>
    folder.file('project.json', {
      tier_list: { rows: [{ id: 's', item_ids: ['a', 'b'] }], items: [{ id: 'a' }, { id: 'b' }] },
      timeline_data: { tier_blocks: [{ start: 0, duration: 20 }], tier_tiles },
      settings: { preset: 'portrait', width: 72, height: 128, fps: 5, quality: 'draft' },
    });
  const terminal = new HeardTerminal();
  const render = (file: string) => renderCommand([file, '-o', folder.in('out.mp4'), '--shorts'], terminal);
  const reveals = [4, 15].map((position, n) => ({ tier_item_id: 'ab'[n], position }));
  assert.equal(await render(project(reveals)), 0);
  const [one, two, all] = terminal.said.slice(-3);
  for (const line of [one, two]) assert.match(line!, /out-short-\d\.mp4: 0:08, [\d.]+ MB$/, 'each by itself');
  assert.match(all!, /^2 videos: 0:16 of video in [\d.]+ s \([\d.]+×\)$/);
  const found: unknown[] = [];
  for (const number of [1, 2]) {
    const { video, audio, facts } = await probe(folder.in(`out-short-${number}.mp4`), DEFAULT_MEDIA_LIMITS);
    found.push([video?.picture.width, video?.picture.height, video?.frames, audio?.codec, facts.duration]);
  }
  assert.deepEqual(found, [
    [72, 128, 40, 'aac', 8],
    [72, 128, 40, 'aac', 8],
  ]);
  await assert.rejects(render(project([])), { code: 'cli.usage', message: /no reveals/ });
});

test('all missing media are reported together, each with its field', async () => {
  using folder = new ScratchFolder();
  const videos = [{ file_field: 'a' }, { file_field: 'b' }, { file_field: 'c' }].map((clip) => ({
    ...clip,
    duration: 1,
  }));
  const project = folder.file('project.json', {
    tier_list: { title: '', rows: [], items: [] },
    timeline_data: { videos },
    media: { a: 'a.mp4', b: 'project.json/b.mp4', c: '.', unused: 'nobody misses this.mp4' },
  });
  const rendering = renderCommand([project, '-o', folder.in('out.mp4')], new HeardTerminal());
  await assert.rejects(rendering, (error: ExportError) => {
    const reported = error.issues.map(
      ({ path, code, message }) => `${path} ${code} ${message.replace(folder.path, '…')}`,
    );
    assert.deepEqual(reported, [
      '/media/a project.unreadable The file "…/a.mp4" of "a" does not exist.',
      '/media/b project.unreadable The file "…/project.json/b.mp4" of "b" cannot be read.',
      '/media/c project.unreadable The file "…" of "c" is a folder.',
    ]);
    return error.kind === 'missing';
  });
});

test('[C90] --strict renders nothing if a picture is truncated, a letter has no font, or the sound is damaged', async () => {
  using folder = new ScratchFolder();
  const picture = await makeClip({ frames: 1, width: 320, height: 240, codec: 'mjpeg', container: 'mjpeg' });
  const cut = readFileSync(picture.file);
  writeFileSync(folder.in('cut.jpg'), cut.subarray(0, Math.floor(cut.length * 0.8)));
  const speech = await makeClip({ frames: 0, sound: { seconds: 10 } });
  const damaged = readFileSync(speech.file);
  damaged.fill(0xff, Math.floor(damaged.length * 0.4), Math.floor(damaged.length * 0.5));
  writeFileSync(folder.in('damaged.mp4'), damaged);
  const board = { timeline_data: { tier_blocks: [{ start: 0, duration: 0.5 }] } };
  const ranked = (item: object) => ({ tier_list: { title: 'T', rows: [], items: [{ id: 'x', name: 'X', ...item }] } });
  const projects = {
    'media.truncated': { ...board, ...ranked({ file_field: 'cut' }), media: { cut: 'cut.jpg' } },
    'paint.glyph_missing': { ...board, ...ranked({ name: '\u{10FFFD}' }) },
    'sound.damaged': { timeline_data: { audios: [{ file_field: 'sound' }] }, media: { sound: 'damaged.mp4' } },
  };
  const small = {
    tier_list: { title: '', rows: [], items: [] },
    settings: { width: 160, height: 90, quality: 'draft' },
  };
  const out = folder.in('out.mp4');
  for (const [code, documents] of Object.entries(projects)) {
    const project = folder.file('project.json', { ...small, ...documents });
    const terminal = new HeardTerminal();
    await assert.rejects(renderCommand([project, '-o', out, '--strict'], terminal), { code, kind: 'invalid' }, code);
    assert.deepEqual(readdirSync(folder.path).toSorted(), ['cut.jpg', 'damaged.mp4', 'project.json'], code);
    assert.deepEqual(terminal.said, [], code);
    assert.equal(await renderCommand([project, '-o', out], terminal), 0);
    assert.match(terminal.said.join('\n'), new RegExp(`warning: /\\S+ ${code}: `));
    rmSync(out);
  }
});

test('the output must be an .mp4 in an existing folder', async () => {
  using folder = new ScratchFolder();
  const project = folder.file('project.json', {
    tier_list: { title: '', rows: [], items: [] },
    timeline_data: { subtitles: [{ text: 'Hi', start: 0, duration: 1 }] },
  });
  const to = (out: string) => renderCommand([project, '-o', folder.in(out)], new HeardTerminal());
  await assert.rejects(to('out.webm'), { code: 'cli.usage', message: /must end in \.mp4/ });
  await assert.rejects(to('nowhere/out.mp4'), { code: 'cli.unwritable', message: /does not exist/ });
});

test('[R25] several children render the same bytes as one', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tiercut-render-'));
  t.after(() => rmSync(folder, { recursive: true }));
  t.after(() => delete process.env.TIERCUT_RENDERS_AT_ONCE);
  const project = join(folder, 'project.json');
  const subtitles = ['one', 'two', 'three', 'four'].map((text, n) => ({ text, start: n * 10, duration: 10 }));
  const settings = { width: 96, height: 96, quality: 'draft' };
  writeFileSync(project, JSON.stringify({ tier_list: {}, timeline_data: { subtitles }, settings, media: {} }));
  const made: Buffer[] = [];
  const frames: number[] = [];
  for (const renders of ['1', '3']) {
    process.env.TIERCUT_RENDERS_AT_ONCE = renders;
    const out = join(folder, `${renders}.mp4`);
    const terminal = new HeardTerminal();
    assert.equal(await renderCommand([project, '-o', out, '--json'], terminal), 0);
    made.push(readFileSync(out));
    const events = terminal.said.map((line) => JSON.parse(line) as { event: string; frames: number });
    frames.push(Math.max(...events.filter(({ event }) => event === 'progress').map((event) => event.frames)));
  }
  assert.ok(made[0]!.equals(made[1]!));
  assert.deepEqual(frames, [1200, 1200]);
});
