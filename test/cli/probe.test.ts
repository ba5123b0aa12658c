import assert from 'node:assert/strict';
import { test } from 'node:test';
import { probeCommand } from '../../src/cli/media/probe.ts';
import { makeClip } from '../fixtures/clips.ts';

test('probe prints a table of the facts', async () => {
  const clip = await makeClip({
    frames: 30,
    sound: { seconds: 1 },
    orientation: { quarterTurns: 1, mirrored: true },
    sampleAspect: { num: 4, den: 3 },
  });
  const { code, lines } = await run([clip.file]);
  assert.equal(code, 0);
  const table = new Map(lines.map((line) => line.split(/ {2,}/) as [string, string]));
  assert.equal(table.get('kind'), 'video');
  assert.equal(table.get('duration'), '1 s');
  assert.equal(table.get('picture'), 'h264, 320×240');
  assert.equal(table.get('stored as'), '180×320 yuv420p');
  assert.equal(table.get('rate'), '30 a second, constant');
  assert.equal(table.get('orientation'), 'mirrored, then turned 90° clockwise');
  assert.equal(table.get('pixel aspect'), '4:3');
  assert.equal(table.get('sound'), 'aac, 48000 Hz, stereo, 0 to 1 s');
});

test('probe --json prints the facts for programs', async () => {
  const clip = await makeClip({ frames: 5, container: 'gif', codec: 'gif', rate: { num: 10, den: 1 } });
  const { lines } = await run([clip.file, '--json']);
  const media = JSON.parse(lines.join('\n'));
  assert.deepEqual(media.facts, {
    kind: 'animation',
    duration: 0.5,
    width: 320,
    height: 180,
    alpha: false,
    sound: false,
  });
});

test('probe without a file, or with two, prints its usage', async () => {
  await assert.rejects(run([]), { code: 'cli.usage' });
  await assert.rejects(run(['a', 'b']), { code: 'cli.usage' });
});

test('an error of a file is printed with the name of the file', async () => {
  await assert.rejects(run(['gone.mp4']), {
    code: 'media.missing',
    issues: [{ path: 'gone.mp4', code: 'media.missing', message: 'The media file does not exist.' }],
  });
  const folder = import.meta.dirname;
  await assert.rejects(run([folder]), { code: 'project.unreadable', message: `The file "${folder}" is a folder.` });
});

async function run(args: readonly string[]): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = [];
  const code = await probeCommand(args, { out: (line) => lines.push(line), err: (line) => lines.push(line) });
  return { code, lines };
}
