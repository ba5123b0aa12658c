import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { publishCommand } from '../../src/cli/render/publish.ts';
import { HeardTerminal } from './tiercut.ts';

const NAMES = ['Pizza', 'Tacos', 'Salad'];
const PROJECT = {
  tier_list: {
    title: 'Snacks, ranked',
    rows: [{ id: 'S', item_ids: ['i0', 'i1'] }, { id: 'F', item_ids: ['i2'] }], // biome-ignore format: two rows
    items: NAMES.map((name, at) => ({ id: `i${at}`, name })),
  },
  timeline_data: {
    tier_blocks: [{ start: 0, duration: 60 }],
    tier_tiles: NAMES.map((_, at) => ({ tier_item_id: `i${at}`, position: 12 * (at + 1) })),
    subtitles: [{ text: 'Here we go', start: 1, duration: 2 }],
  },
};

/** Runs the command in a folder with the project. */
async function publish(folder: string, ...args: readonly string[]): Promise<readonly string[]> {
  const project = join(folder, 'project.json');
  writeFileSync(project, JSON.stringify(PROJECT));
  const terminal = new HeardTerminal();
  assert.equal(await publishCommand([project, ...args], terminal), 0, terminal.said.join('\n'));
  return terminal.said;
}

test('[R40] publish prints what is pasted elsewhere, as text or as JSON, and writes the captions', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tiercut-publish-'));
  try {
    const chapters = ['0:00 Snacks, ranked', '0:12 Pizza', '0:24 Tacos', '0:36 Salad'];
    const description = ['3 items from S to F.', '', ...chapters].join('\n');
    const tags = ['tier list', ...NAMES];
    assert.deepEqual(await publish(folder), [
      `Title:\nSnacks, ranked\n\nDescription:\n${description}\n\nTags:\n${tags.join(', ')}`,
    ]);
    const captions = join(folder, 'captions.srt');
    const [json] = await publish(folder, '--json', '--captions', captions);
    assert.partialDeepStrictEqual(JSON.parse(json!), { title: 'Snacks, ranked', description, tags });
    assert.equal(JSON.parse(json!).chapters.length, chapters.length);
    assert.equal(readFileSync(captions, 'utf8'), '1\n00:00:01,000 --> 00:00:03,000\nHere we go\n');
    await assert.rejects(publish(folder, '--captions', join(folder, 'captions.txt')), { code: 'cli.usage' });
    assert.ok(!existsSync(join(folder, 'captions.txt')));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
