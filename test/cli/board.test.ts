import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { boardCommand } from '../../src/cli/render/board.ts';
import { readImageHeader } from '../../src/image-header/read-image-header.ts';
import { SamplePictures } from '../paint/sample-pictures.ts';
import { HeardTerminal } from './tiercut.ts';

/** A project of two items, one of them revealed at 5 s, and the output of the command. */
async function board(
  pictures: SamplePictures,
  args: readonly string[],
  blocks = [{ start: 0, duration: 10 }],
  name = 'board.png',
) {
  const project = join(pictures.folder, 'project.json');
  const items = [...pictures.files.keys()].map((field) => ({ id: field, name: field, file_field: field }));
  const content = {
    tier_list: {
      title: 'Two',
      rows: [{ id: 's', label: 'S', color: '#ff7f7f', item_ids: items.map(({ id }) => id) }],
      items,
    },
    timeline_data: {
      tier_blocks: blocks,
      tier_tiles: [{ tier_item_id: 'picture1', position: 5 }],
      subtitles: [{ text: 'Hello', start: 0, duration: 10 }],
    },
    settings: { reveal: 'none' },
    media: Object.fromEntries([...pictures.files].map(([field, path]) => [field, basename(path)])),
  };
  writeFileSync(project, JSON.stringify(content));
  const output = join(pictures.folder, name);
  const terminal = new HeardTerminal();
  const code = await boardCommand([project, '-o', output, ...args], terminal);
  return { code, said: terminal.said, png: readFileSync(output) };
}

test('board writes the board at a time, in the size of a preset', async () => {
  using pictures = new SamplePictures(2);
  const before = await board(pictures, ['--at', '4.9', '--preset', 'preset_two']);
  assert.equal(before.code, 0, before.said.join('\n'));
  const { format, width, height } = readImageHeader(before.png);
  assert.equal(format, 'png');
  // Within the safe area of portrait. (C21)
  assert.equal(width, 886);
  assert.ok(height <= 1382);
  const after = await board(pictures, ['--at', '6', '--preset', 'preset_two']);
  const finished = await board(pictures, ['--preset', 'preset_two']);
  assert.ok(!after.png.equals(before.png), 'the reveal at 5 s shows');
  assert.ok(finished.png.equals(after.png), 'without --at it is the finished board');
});

test('[R2] board shows the state at that time: a reveal at 5 s is not visible at 4.99 s', async () => {
  using pictures = new SamplePictures(2);
  const before = await board(pictures, ['--at', '4.5']);
  const just = await board(pictures, ['--at', '4.99']);
  assert.ok(just.png.equals(before.png));
  assert.ok(!(await board(pictures, ['--at', '5'])).png.equals(before.png));
});

test('the file extension selects the picture format of a board', async () => {
  using pictures = new SamplePictures(2);
  for (const [name, kind] of [
    ['board.jpg', 'jpeg'],
    ['board.webp', 'webp'],
  ] as const) {
    const { png: picture } = await board(pictures, [], [{ start: 0, duration: 10 }], name);
    assert.equal(readImageHeader(picture).format, kind);
  }
  await assert.rejects(board(pictures, [], [{ start: 0, duration: 10 }], 'board.gif'), { code: 'cli.usage' });
});

test('board reports errors: no board to paint, an invalid time', async () => {
  using pictures = new SamplePictures(2);
  await assert.rejects(board(pictures, [], []), { code: 'paint.no_board' });
  await assert.rejects(board(pictures, ['--at=-1']), { code: 'cli.usage' });
  await assert.rejects(board(pictures, ['--at', 'noon']), { code: 'cli.usage' });
  await assert.rejects(board(pictures, ['--at', '10.1']), {
    code: 'frame.outside',
    message: 'The video lasts 10 s; --at must be from 0 to that, not 10.1.',
  });
});
