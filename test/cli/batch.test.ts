import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { batchCommand } from '../../src/cli/batch/batch.ts';
import { ExportError } from '../../src/errors.ts';
import { HeardTerminal, ScratchFolder } from './tiercut.ts';

/** Eleven seconds of board, then a title: the first chunk does not depend on the title. */
const PROJECT = {
  tier_list: {
    rows: [{ id: 's', label: 'S' }],
    items: [{ id: 'one', name: 'One' }],
  },
  timeline_data: {
    tier_blocks: [{ start: 0, duration: 12 }],
    titles: [{ text: '{{title}} {{week}}', start: 11, duration: 1 }],
  },
  settings: { width: 160, height: 90, fps: 10, quality: 'draft' },
  fields: { title: { type: 'text', max: 9 }, week: { type: 'number', default: 1 }, list: { type: 'items' } },
};

/** A folder with the project and a table. */
function folderWith(csv: string, project: object = PROJECT): ScratchFolder {
  const folder = new ScratchFolder();
  folder.file('project.json', project);
  folder.file('rows.csv', csv);
  return folder;
}

async function run(folder: ScratchFolder, out: string, ...args: readonly string[]) {
  const terminal = new HeardTerminal();
  const given = [folder.in('project.json'), folder.in('rows.csv'), '-o', folder.in(out), ...args];
  return { code: await batchCommand(given, terminal), said: terminal.said };
}

async function refused(csv: string, out = 'out/{{video}}.mp4', ...args: readonly string[]): Promise<string[]> {
  using folder = folderWith(csv);
  try {
    await run(folder, out, ...args);
  } catch (error) {
    assert.ok(error instanceof ExportError);
    assert.ok(!existsSync(folder.in('out')), 'nothing is rendered');
    return error.issues.length === 0 ? [error.message.split('\n')[0]!] : error.issues.map(({ message }) => message);
  }
  return assert.fail('it is rendered');
}

test('[C85] a batch makes a video of each row, renders once what they share, and continues where it stopped', async () => {
  using folder = folderWith('video,title,week\na,Nuts,1\n../b/c,Rye,2\n');
  const first = await run(folder, 'out/{{video}}-{{week}}.mp4');
  assert.equal(first.code, 0, first.said.join('\n'));
  assert.deepEqual(readdirSync(folder.in('out')).toSorted(), ['-b-c-2.mp4', 'a-1.mp4']);
  assert.match(first.said[0]!, /a-1\.mp4: 3 of 3 chunks rendered$/);
  assert.match(first.said[1]!, /-b-c-2\.mp4: 1 of 3 chunks rendered$/, 'the chunks before the title are shared');
  const made = statSync(folder.in('out/a-1.mp4')).mtimeMs;
  folder.file('rows.csv', 'video,title,week\na,Nuts,1\n../b/c,Oats,2\n');
  const again = await run(folder, 'out/{{video}}-{{week}}.mp4', '--json');
  const events = again.said.map((line) => JSON.parse(line));
  assert.deepEqual(
    events.map(({ event, row }) => `${event} ${row ?? ''}`),
    ['kept 1', 'done 2', 'end '],
  );
  assert.equal(statSync(folder.in('out/a-1.mp4')).mtimeMs, made);
});

test('[C85] --only chooses rows, --at and --frame write a picture of each', async () => {
  using folder = folderWith('video;title\na;Nuts\nb;Rye\nc;Oats');
  const still = await run(folder, 'out/{{video}}.mp4', '--at', '11.5', '--only', '2-3');
  assert.equal(still.code, 0, still.said.join('\n'));
  assert.deepEqual(readdirSync(folder.in('out')).toSorted(), ['b.png', 'c.png']);
  assert.deepEqual(
    [...readFileSync(folder.in('out/b.png')).subarray(1, 4)].map((n) => String.fromCharCode(n)),
    [...'PNG'],
  );
  assert.notDeepEqual(readFileSync(folder.in('out/b.png')), readFileSync(folder.in('out/c.png')));
  const all = await run(folder, 'all/{{video}}.mp4', '--preset', 'all', '--frame', '0', '--only', '1');
  assert.equal(all.code, 0, all.said.join('\n'));
  assert.deepEqual(readdirSync(folder.in('all')).toSorted(), ['a-landscape.png', 'a-portrait.png', 'a-square.png']);
  const late = await run(folder, 'late/{{row}}.webp', '--frame', '120', '--only', '1');
  assert.equal(late.code, 1);
  assert.match(late.said.join('\n'), /frame\.outside: --frame 120 is after the end: the video has 120 frames/);
});

test('[C85] a row whose file is missing fails alone', async () => {
  using folder = folderWith('video,title,name,picture\na,Nuts,N,none.png\nb,Rye,R,\n');
  const { code, said } = await run(folder, 'out/{{video}}.mp4');
  assert.equal(code, 1);
  assert.deepEqual(readdirSync(folder.in('out')), ['b.mp4']);
  assert.match(
    said.join('\n'),
    /a\.mp4: \/media\/list-1 project\.unreadable: The file ".*none\.png" of "list-1" does not exist/,
  );
  assert.match(said.at(-1)!, /^2 rows: 1 made in .* s, 1 failed$/);
});

test('[C85, C83] all errors of a table come before the first render, with line and column', async () => {
  assert.deepEqual(await refused('video,title,week,name,row\na,Too long for it,1,N,S\nb,x,"1,5",,Z\nb,,,M,Q'), [
    'A number has a point as decimal sign, not a comma: "1,5" (line 3, column 3, "week").',
    '"title" must be a text of at most 9 characters; this one is longer. (line 2, column 2, "title")',
  ]);
  assert.match(
    (await refused('video,title\na?,x\n"a*",y'))[0]!,
    /^The rows 1 and 2 would both be written to ".*a-\.mp4"\.$/,
  );
  assert.deepEqual(await refused('title\nx', 'out/{{row}}.mp4', '--only', '2'), [
    '--only takes rows from 1 to 1, such as 3 or 2-5, not "2".',
  ]);
  assert.match((await refused('title\nx', 'out/a.mp4'))[0]!, /^-o needs a placeholder/);
});
