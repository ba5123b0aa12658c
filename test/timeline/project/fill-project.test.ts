import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillProject } from '../../../src/timeline/project/fill-project.ts';
import { storedDefaults } from '../../../src/timeline/project/project-media.ts';

const TIER_LIST = {
  title: '{{ title }}, week {{week}}',
  rows: [
    { id: 's', label: 'Great', color: '{{accent}}', item_ids: ['a'] },
    { id: 'f', label: 'Bad', item_ids: ['b'] },
  ],
  items: [
    { id: 'a', name: 'Apple' },
    { id: 'b', name: 'Bread' },
  ],
};
const FIELDS = {
  title: { type: 'text', max: 20, default: 'Snacks', label: 'Title' },
  week: { type: 'number', min: 1, max: 53, required: true },
  accent: { type: 'color', default: '#ff0000' },
};
const PROJECT = { tier_list: TIER_LIST, timeline_data: { auto: {} }, fields: FIELDS };

interface Documents {
  readonly tier_list: { title: unknown; rows: { color: unknown; item_ids: unknown }[]; items: unknown };
  readonly timeline_data: { titles: unknown[]; videos: unknown; tier_tiles: unknown };
  readonly settings: unknown;
}

/** The documents of a project with its values. */
function filled(project: object, values: unknown = { week: 12 }) {
  const result = fillProject(project, values);
  if ('issues' in result) assert.fail(JSON.stringify(result.issues));
  return { ...result, documents: result.documents as Documents };
}

/** Path and code of every error. */
function faults(project: object, values?: unknown): string[] {
  const result = fillProject(project, values);
  assert.ok('issues' in result, 'it is refused');
  return result.issues.map(({ path, code }) => `${path} ${code}`);
}

test('[C83] a text that is one placeholder takes the value with its type; in a longer text it is text', () => {
  const settings = { board_gap: '{{week}}', background: '\\{{week}} {{week}}', quality: 'high' };
  const { documents } = filled({ ...PROJECT, settings }, { week: 7, title: 'Cheese' });
  assert.equal(documents.tier_list.title, 'Cheese, week 7');
  assert.equal(documents.tier_list.rows[0]?.color, '#ff0000');
  assert.deepEqual(documents.settings, { board_gap: 7, background: '{{week}} 7', quality: 'high' });
});

test('[C83] the texts of a project without fields are not read', () => {
  const { documents } = filled({ tier_list: { title: '{{title}} \\{{' } }, {});
  assert.equal(documents.tier_list.title, '{{title}} \\{{');
});

test('[C83] values are data: braces, names and addresses in them are not read', () => {
  const title = '{{week}} \\{{ host';
  const { documents, media } = filled(
    { ...PROJECT, fields: { ...FIELDS, title: { type: 'text' } } },
    { week: 1, title },
  );
  assert.equal(documents.tier_list.title, `${title}, week 1`);
  assert.equal(media.size, 0);
  const hostile = JSON.parse('{"week":1,"__proto__":{"title":"x"}}');
  assert.deepEqual(faults(PROJECT, hostile), ['/values/__proto__ value.unknown']);
  const fields = JSON.parse('{"__proto__":{"type":"text"},"constructor":{"type":"text","default":"c"}}');
  const odd = filled({ tier_list: { title: '{{__proto__}}{{constructor}}' }, fields }, {});
  assert.equal(odd.documents.tier_list.title, 'c');
  assert.equal(Object.getPrototypeOf(odd.documents.tier_list), Object.prototype);
});

test('[C83] a field without a placeholder, a placeholder without a field or end, and wrong values are errors with their place', () => {
  const project = {
    ...PROJECT,
    settings: { file_name: '{{tilte}}', a: ['x {{week'] },
    fields: { ...FIELDS, spare: { type: 'text' } },
  };
  assert.deepEqual(faults(project, { week: '12', title: 'x'.repeat(21), accent: 'red' }), [
    '/settings/a/0 template.placeholder',
    '/settings/file_name template.unknown_field',
    '/fields/spare template.unused_field',
    '/values/title field.range',
    '/values/week field.type',
    '/values/accent field.format',
  ]);
  assert.deepEqual(faults(PROJECT, {}), ['/values/week value.required']);
  assert.deepEqual(faults(PROJECT, { week: 54 }), ['/values/week field.range']);
  assert.deepEqual(
    faults({ ...PROJECT, fields: { ...FIELDS, accent: { type: 'color', default: 'x' } } }, { week: 1 }),
    ['/fields/accent/default field.format'],
  );
});

test('[C83] fields of the wrong form are errors with their place', () => {
  const fields = {
    a: { type: 'txt' },
    b: { type: 'choice' },
    c: { type: 'number', min: 3, max: 2 },
    d: 7,
    'e{': { type: 'text' },
    f: { type: 'text', max: 0 },
    g: {},
    h: { type: 'media', kind: 'smell' },
    i: { type: 'items' },
    j: { type: 'items' },
  };
  assert.deepEqual(faults({ tier_list: {}, fields }), [
    '/fields/a/type field.choice',
    '/fields/b field.required',
    '/fields/c/max field.range',
    '/fields/d field.type',
    '/fields/e{ template.field_name',
    '/fields/f/max field.range',
    '/fields/g field.required',
    '/fields/h/kind field.type',
    '/fields/j template.items_twice',
  ]);
});

test('[C83] an absent value leaves out its member; an entry without its text or file is left out', () => {
  const fields = { sub: { type: 'text' }, logo: { type: 'media', kind: 'picture' }, size: { type: 'number' } };
  const titles = [
    { text: '{{sub}}', start: 0, duration: 1 },
    { text: 'A{{sub}}', size: '{{size}}', start: 0, duration: 1 },
  ];
  const videos = [{ file_field: 'logo', start: 0, duration: 1 }];
  const project = { timeline_data: { titles, videos }, fields };
  assert.deepEqual(filled(project, {}).documents.timeline_data, {
    titles: [{ text: 'A', start: 0, duration: 1 }],
    videos: [],
  });
  const given = filled(project, { sub: 'b', size: 20, logo: 'https://cdn.example/l.png' });
  assert.deepEqual(given.documents.timeline_data.titles[1], { text: 'Ab', size: 20, start: 0, duration: 1 });
  assert.deepEqual(given.documents.timeline_data.videos, videos);
  assert.deepEqual(
    [...given.media],
    [['logo', { kind: 'web', url: 'https://cdn.example/l.png', path: '/values/logo' }]],
  );
});

test('[C83] items fill the list and its rows; reveals of the template stay with the place in the list', () => {
  const timeline_data = {
    tier_tiles: [
      { tier_item_id: 'a', position: 3, reveal: 'slam' },
      { tier_item_id: 'b', position: 6 },
    ],
  };
  const fields = { list: { type: 'items', max: 3 } };
  const project = {
    tier_list: { ...TIER_LIST, title: 'x', rows: TIER_LIST.rows.map((row) => ({ ...row, color: '#ffffff' })) },
    timeline_data,
    fields,
  };
  const list = [{ name: 'Pear', row: 'Bad', picture: 'https://cdn.example/pear.png', score: 7.5, position: 4 }];
  const one = filled(project, { list });
  assert.deepEqual(one.documents.tier_list.items, [{ id: 'a', name: 'Pear', file_field: 'list-1', score: '7.5' }]);
  assert.deepEqual(
    one.documents.tier_list.rows.map((row) => row.item_ids),
    [[], ['a']],
  );
  assert.deepEqual(one.documents.timeline_data.tier_tiles, [{ tier_item_id: 'a', position: 4, reveal: 'slam' }]);
  assert.equal(one.media.get('list-1')?.path, '/values/list/0/picture');
  const three = filled(project, {
    list: [{ name: 'A' }, { name: 'B', row: 's' }, { name: 'C', row: 's', position: 9 }],
  });
  assert.deepEqual(
    three.documents.tier_list.rows.map((row) => row.item_ids),
    [['b', 'item-3'], []],
  );
  assert.deepEqual(three.documents.timeline_data.tier_tiles, [
    ...timeline_data.tier_tiles,
    { tier_item_id: 'item-3', position: 9 },
  ]);
  assert.deepEqual(filled(project, {}).documents.tier_list.items, TIER_LIST.items, 'its own items are the default');
  assert.deepEqual(faults(project, { list: [{ row: 'Worst', position: -1, picture: 'pear.png', note: 3 }, 4] }), [
    '/values/list/0 field.required',
    '/values/list/0/position field.range',
    '/values/list/0/row row.unknown',
    '/values/list/0/picture field.format',
    '/values/list/0/note field.type',
    '/values/list/1 field.type',
  ]);
  assert.deepEqual(faults(project, { list: [{}, {}, {}, {}] }), ['/values/list field.range']);
});

test('[C83] an item names its row by the label that the row gets', () => {
  const rows = [
    { id: 'left', label: '{{left}}' },
    { id: 'right', label: 'x' },
  ];
  const fields = { rounds: { type: 'items' }, left: { type: 'text' } };
  const { documents } = filled(
    { tier_list: { rows }, fields },
    { left: 'Tea', rounds: [{ name: 'Price', row: 'Tea' }] },
  );
  assert.deepEqual(documents.tier_list.rows[0]?.item_ids, ['item-1']);
});

test('[C82] media are hashes, addresses or, beside a file, paths; a file field is named once', () => {
  const sha = 'A'.repeat(64);
  const project = {
    media: { a: `sha256:${sha}`, b: 'https://cdn.example/b.png' },
    media_refs: { c: sha },
    media_urls: { d: 'https://x.example/' },
  };
  assert.deepEqual(
    [...filled(project, {}).media.values()].map(({ kind }) => kind),
    ['stored', 'web', 'stored', 'web'],
  );
  assert.deepEqual(
    faults({ media: { a: 'a.png', b: 3, c: 'sha256:12' }, media_refs: { b: sha, d: 'x' }, media_urls: { d: 'y' } }),
    [
      '/media/a field.format',
      '/media/b field.type',
      '/media/c field.format',
      '/media_refs/b reference.repeated',
      '/media_refs/d field.format',
      '/media_urls/d reference.repeated',
    ],
  );
  const older = filled({ media: { a: 'media/a.png' }, media_refs: { a: sha } }, {});
  assert.equal(older.media.get('a')?.kind, 'stored', 'a project that an older studio saved');
  const beside = fillProject({ media: { a: 'media/a.png' } }, {}, { files: true });
  assert.ok('media' in beside);
  assert.deepEqual(beside.media.get('a'), { kind: 'file', file: 'media/a.png', path: '/media/a' });
});

test('[C83] twice the placeholders take twice the time, and what they put in has a limit', () => {
  const project = (count: number) => ({
    tier_list: {
      title: '{{x}}\\{{'.repeat(count),
      items: Array.from({ length: count }, (_, n) => ({ id: `${n}`, name: '{{x}}' })),
    },
    fields: { x: { type: 'text', default: 'y' } },
  });
  const { documents } = filled(project(2000), {});
  assert.equal(documents.tier_list.title, 'y{{'.repeat(2000));
  assert.deepEqual(faults(project(2000), { x: 'z'.repeat(20_000) }), ['/values template.too_large']);
  assert.deepEqual(faults({ tier_list: { title: '{{'.repeat(100_000) }, fields: {} }, {}), [
    '/tier_list/title template.placeholder',
  ]);
});

test('[C76] files that defaults of fields name belong to the project; what is no reference does not', () => {
  const [one, two, three] = ['1', '2', '3'].map((digit) => `sha256:${digit.repeat(64)}`);
  const fields = {
    picture: { type: 'media', default: one },
    list: { type: 'items', default: [{ name: 'A', picture: two }, { name: 'B' }, 'no item'] },
    words: { type: 'text', default: three },
    address: { type: 'media', default: 'https://example.com/a.png' },
    wrong: { type: 'media', default: 'sha256:12' },
    none: { type: 'media' },
    odd: 7,
  };
  assert.deepEqual(storedDefaults({ fields }), ['1'.repeat(64), '2'.repeat(64)]);
  for (const project of [{}, { fields: [] }, { fields: null }]) assert.deepEqual(storedDefaults(project), []);
});
