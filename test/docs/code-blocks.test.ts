import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse, TIER_LIST } from '../request-builder.ts';
import { blocks, type CodeBlock, isRun, pages, withoutBlocks } from './code-blocks.ts';

/** Each is run by run-blocks.test.ts, or read below. `text` is output. */
const LANGUAGES = ['sh', 'js', 'python', 'go', 'json', 'text'];

test('a test runs every code block of the documentation, or the block says why not', () => {
  const others = blocks.filter((block) => isRun(block) && !LANGUAGES.includes(block.language));
  assert.deepEqual(others, []);
  const unexplained = blocks.filter((block) => !isRun(block) && !/^no-run: \w.{10,}/.test(block.note));
  assert.deepEqual(unexplained, []);
  // Blocks that are only indented have no language.
  const indented = pages.filter(({ text }) => /\n\n {4}\S/.test(withoutBlocks(text)));
  assert.deepEqual(
    indented.map(({ path }) => path),
    [],
  );
});

/** The documents that a block of each kind is part of. */
const DOCUMENTS: Readonly<Record<string, (json: object) => object>> = {
  tier_list: (tier_list) => ({ tier_list, timeline_data: { auto: {} } }),
  timeline_data: (timeline_data) => ({ tier_list: withItemsOf(timeline_data), timeline_data }),
  'videos[]': (entry) => ({ tier_list: TIER_LIST, timeline_data: { videos: [entry] } }),
  settings: (settings) => ({
    tier_list: TIER_LIST,
    timeline_data: { tier_blocks: [{ start: 0, duration: 1 }], videos: [{ id: 'clip-1', file_field: 'clip' }] },
    settings,
  }),
  project: ({ media: _, ...documents }: { media?: object }) => documents,
};

/** A tier list with every item that tiles name. */
function withItemsOf({ tier_tiles = [] }: { tier_tiles?: readonly { tier_item_id: string }[] }): object {
  const items = tier_tiles.map(({ tier_item_id: id }) => ({ id }));
  return { rows: [{ id: 's', item_ids: items.map(({ id }) => id) }], items };
}

test('JSON in the documentation parses, and request documents give neither errors nor warnings', () => {
  const json = blocks.filter(({ language }) => language === 'json').filter(isRun);
  assert.ok(json.length > 15);
  for (const { page, note, code } of json) {
    const value = JSON.parse(code);
    if (note === '') continue;
    assert.ok(note in DOCUMENTS, `${page}: ${note}`);
    const { warnings } = parse(DOCUMENTS[note]!(value));
    assert.deepEqual(warnings, [], `${page}: ${code}`);
  }
});

test('every code block that is a request document says which one', () => {
  const isDocument = ({ code }: CodeBlock) => /"(?:tier_|items|videos|titles|subtitle|theme|background)/.test(code);
  const unnamed = blocks.filter((block) => block.language === 'json' && block.note === '' && isDocument(block));
  assert.deepEqual(unnamed, []);
});
