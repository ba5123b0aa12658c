import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCsv } from '../../src/timeline/csv/read-csv.ts';
import { rowsOf } from '../../src/timeline/csv/table-rows.ts';
import { IssueList } from '../../src/timeline/issue-list.ts';
import { fillProject } from '../../src/timeline/project/fill-project.ts';
import { readFields } from '../../src/timeline/project/template-fields.ts';
import { parse, TIER_LIST } from '../request-builder.ts';
import { blocks, type CodeBlock, isRun, pages, withoutBlocks } from './code-blocks.ts';

/** Each is run by run-blocks.test.ts, or read below. `text` is output. */
const LANGUAGES = ['sh', 'js', 'python', 'go', 'json', 'csv', 'text'];

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
  template: (project) => {
    const filled = fillProject(project, { week: 12, items: [{ name: 'Popcorn', row: 'S' }] });
    assert.ok('documents' in filled, JSON.stringify(filled));
    return filled.documents;
  },
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

test('[C83] a table in the documentation fills in the template of its page', () => {
  const tables = blocks.filter(({ language }) => language === 'csv');
  assert.ok(tables.length > 0);
  for (const { page, code } of tables) {
    const template = blocks.find((block) => block.page === page && block.note === 'template');
    const project = JSON.parse(template?.code ?? '{}');
    const issues = new IssueList();
    const { rows } = rowsOf(readCsv(code), readFields(project.fields, issues)!, issues);
    issues.throwIfFailed();
    assert.ok(rows.length > 1);
    for (const { values } of rows) assert.ok('documents' in fillProject(project, values), page);
  }
});

test('every code block that is a request document says which one', () => {
  const isDocument = ({ code }: CodeBlock) => /"(?:tier_|items|videos|titles|subtitle|theme|background)/.test(code);
  const unnamed = blocks.filter((block) => block.language === 'json' && block.note === '' && isDocument(block));
  assert.deepEqual(unnamed, []);
});
