import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { thumbnailCommand } from '../../src/cli/render/thumbnail.ts';
import { readImageHeader } from '../../src/image-header/read-image-header.ts';
import { SamplePictures } from '../paint/sample-pictures.ts';
import { HeardTerminal } from './tiercut.ts';

/** Runs the command on a project with three items. */
async function thumbnail(pictures: SamplePictures, out: string, args: readonly string[] = []) {
  const project = join(pictures.folder, 'project.json');
  const items = [...pictures.files.keys()].map((field) => ({ id: field, file_field: field }));
  const content = {
    tier_list: { title: 'Three', rows: [{ id: 'S', item_ids: ['picture0'] }, { id: 'F' }], items },
    timeline_data: { tier_blocks: [{ start: 0, duration: 2 }] },
    media: Object.fromEntries([...pictures.files].map(([field, path]) => [field, basename(path)])),
    notes: 'for myself',
  };
  writeFileSync(project, JSON.stringify(content));
  const terminal = new HeardTerminal();
  const code = await thumbnailCommand([project, '-o', join(pictures.folder, out), ...args], terminal);
  return { code, said: terminal.said, picture: readFileSync(join(pictures.folder, out)) };
}

test('[R39] thumbnail writes a picture; the file extension selects its format, options its style', async () => {
  using pictures = new SamplePictures(3);
  const first = await thumbnail(pictures, 'a.jpg');
  assert.equal(first.code, 0, first.said.join('\n'));
  const { format, width, height } = readImageHeader(first.picture);
  assert.deepEqual([format, width, height], ['jpeg', 1280, 720]);
  assert.match(first.said[0]!, /^warning: \/notes field\.unknown/);
  assert.match(first.said.at(-1)!, /a\.jpg: question, 1280×720$/);
  const options = ['--style', 'versus', '--items', 'picture2,picture0', '--text', 'Who?', '--orientation', 'portrait'];
  const second = await thumbnail(pictures, 'b.png', options);
  const portrait = readImageHeader(second.picture);
  assert.deepEqual([portrait.format, portrait.width, portrait.height], ['png', 720, 1280]);
});

test('[R39] invalid options are errors, and no file is written', async () => {
  using pictures = new SamplePictures(3);
  const refused = async (args: readonly string[], code: string, out = 'a.png') => {
    await assert.rejects(thumbnail(pictures, out, args), { code });
  };
  await refused([], 'cli.usage', 'a.webp');
  await refused(['--style', 'poster'], 'field.choice');
  await refused(['--orientation', 'square'], 'field.choice');
  await refused(['--text', 'x'.repeat(101)], 'field.range');
  await refused(['--items', 'nothing'], 'item.unknown');
  await refused(['--style', 'versus', '--items', 'picture0'], 'thumbnail.items');
  assert.deepEqual(
    readdirSync(pictures.folder).filter((name) => name.startsWith('a.')),
    [],
  );
});
