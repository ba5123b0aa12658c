import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { errorLines } from '../../src/cli/command-line/terminal.ts';
import { boardCommand } from '../../src/cli/render/board.ts';
import { frameCommand } from '../../src/cli/render/frame.ts';
import { renderCommand } from '../../src/cli/render/render.ts';
import { exitCode } from '../../src/cli/run-command.ts';
import { watchCommand } from '../../src/cli/watch/watch.ts';
import type { ExportError } from '../../src/errors.ts';
import { readImageHeader } from '../../src/image-header/read-image-header.ts';
import { HeardTerminal, ScratchFolder } from './tiercut.ts';

const SUBTITLES = [
  { text: 'First', start: 0, duration: 1 },
  { text: 'Second', start: 1, duration: 1, colour: '#ff0000' },
];
const PROJECT = {
  tier_list: { title: 'Small', rows: [], items: [] },
  timeline_data: { subtitles: SUBTITLES },
  settings: { width: 160, height: 90 },
  notes: 'for myself',
};

async function frame(folder: ScratchFolder, out: string, at: string, project: object = PROJECT) {
  const terminal = new HeardTerminal();
  const file = folder.file('project.json', project);
  const code = await frameCommand([file, '-o', folder.in(out), '--at', at], terminal);
  return { code, said: terminal.said, picture: readFileSync(folder.in(out)) };
}

test('[R4] frame writes the frame at a time; the file extension selects the picture format', async () => {
  using folder = new ScratchFolder();
  const first = await frame(folder, 'a.png', '0.5');
  assert.equal(first.code, 0, first.said.join('\n'));
  const { format, width, height } = readImageHeader(first.picture);
  assert.deepEqual([format, width, height], ['png', 160, 90]);
  // The very end still means the last frame. (C39)
  const late = await frame(folder, 'b.jpg', '2');
  assert.equal(readImageHeader(late.picture).format, 'jpeg');
  assert.match(late.said.at(-1)!, /b\.jpg: frame 59, 160×90$/);
  assert.deepEqual(readdirSync(folder.path).toSorted(), ['a.png', 'b.jpg', 'project.json']);
  // Tolerated errors are reported.
  assert.deepEqual(late.said.slice(0, -1), [
    'warning: /notes field.unknown: "notes" is an unknown field and is ignored.',
    'warning: /timeline_data/subtitles/1/colour field.unknown: "colour" is an unknown field and is ignored.',
  ]);
});

test('[C39] a time beyond the end gets the same error as over HTTP, and no file is written', async () => {
  using folder = new ScratchFolder();
  await assert.rejects(frame(folder, 'a.png', '2.1'), (error: ExportError) => {
    assert.deepEqual(errorLines(error), ['frame.outside: The video lasts 2 s; --at must be from 0 to that, not 2.1.']);
    return exitCode(error.kind) === 2;
  });
  assert.deepEqual(readdirSync(folder.path), ['project.json']);
});

test('invalid options are reported before rendering starts', async () => {
  using folder = new ScratchFolder();
  for (const at of ['Infinity', 'noon', '-1', '', '0x1', '1s']) {
    await assert.rejects(frame(folder, 'a.png', at), { code: 'cli.usage', message: /--at must be seconds/ }, at);
  }
  const message = /must end in \.png, \.jpg, \.jpeg or \.webp, not/;
  await assert.rejects(frame(folder, 'a.gif', '0'), { code: 'cli.usage', message });
  await assert.rejects(frame(folder, 'nowhere/a.png', '0'), { code: 'cli.unwritable', message: /does not exist/ });
  mkdirSync(folder.in('taken.png'));
  const taken = {
    code: 'cli.unwritable',
    message: `"${folder.in('taken.png')}" is a folder.`,
  };
  await assert.rejects(frame(folder, 'taken.png', '0'), taken);
  for (const command of [renderCommand, watchCommand]) {
    mkdirSync(folder.in('taken.mp4'), { recursive: true });
    const args = [folder.in('project.json'), '-o', folder.in('taken.mp4')];
    await assert.rejects(command(args, new HeardTerminal()), { code: 'cli.unwritable', message: /is a folder/ });
  }
  await assert.rejects(
    boardCommand([folder.in('project.json'), '-o', folder.in('taken.png')], new HeardTerminal()),
    taken,
  );
  assert.deepEqual(readdirSync(folder.path).toSorted(), ['project.json', 'taken.mp4', 'taken.png']);
});

test('a misspelt project field is an error with a suggestion', async () => {
  using folder = new ScratchFolder();
  const { settings: setings, timeline_data: timelinedata, ...rest } = PROJECT;
  await assert.rejects(frame(folder, 'a.png', '0', { ...rest, setings, timelinedata }), {
    code: 'project.misspelt',
    issues: [
      {
        path: '/setings',
        code: 'project.misspelt',
        message: '"setings" is an unknown field. Did you mean "settings"?',
      },
      {
        path: '/timelinedata',
        code: 'project.misspelt',
        message: '"timelinedata" is an unknown field. Did you mean "timeline_data"?',
      },
    ],
  });
});
