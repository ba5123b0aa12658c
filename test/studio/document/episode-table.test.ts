import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  columnsOf,
  isBlank,
  NO_EPISODES,
  storedPlace,
  textAt,
  valueAt,
  valueFrom,
  videoNames,
} from '../../../src/studio/document/episode-table.ts';
import { doStep, type Recipe, startHistory, undoStep } from '../../../src/studio/document/history.ts';
import type { EpisodeRow, EpisodeTable, Project } from '../../../src/studio/document/project.ts';
import { readProjectText } from '../../../src/studio/document/project-text.ts';
import { projectOfRow } from '../../../src/studio/document/row-project.ts';
import {
  clipboardCells,
  clipboardText,
  isTable,
  readTable,
  tableText,
} from '../../../src/studio/document/table-clipboard.ts';
import {
  addRows,
  clearCells,
  fillDown,
  insertRows,
  pasteTexts,
  removeRows,
  setValue,
  textsIn,
} from '../../../src/studio/document/table-edits.ts';
import { fileFaults, repeatedNames, TableChecks } from '../../../src/studio/document/table-faults.ts';
import { at, movedBy, type TableRange } from '../../../src/studio/document/table-range.ts';
import { rowsToSend, templateToSend } from '../../../src/studio/document/table-request.ts';
import { documentsOf } from '../../../src/studio/document/template.ts';
import { episodeOf, makeField, renameField } from '../../../src/studio/document/template-commands.ts';
import { sharingRows } from '../../../src/studio/document/versions.ts';
import { writtenProject } from '../../../src/studio/document/written-project.ts';
import { DEFAULT_TIMELINE_LIMITS as LIMITS } from '../../../src/timeline/limits.ts';
import { fillProject } from '../../../src/timeline/project/fill-project.ts';
import type { TemplateField } from '../../../src/timeline/project/template-fields.ts';
import { picture, ranked } from './project-builder.ts';

const done = (project: Project, recipe: Recipe) => doStep(startHistory(project), 'Change', recipe).project;

/** A ranking with a title, the number of a week, a look and items as fields. */
const TEMPLATE = done(
  done(ranked(3), (draft) => {
    draft.tier_list.title = 'Every snack, ranked';
    draft.settings.theme = 'midnight';
    draft.timeline_data.titles.push({ id: 'week', text: 'Week 12', start: 0, duration: 2 });
  }),
  (draft) => {
    makeField(draft, { type: 'text', label: 'Title', place: '/tier_list/title', max: 30 });
    makeField(draft, { type: 'number', label: 'Week', place: '/timeline_data/titles/week/text', part: '12', max: 53 });
    makeField(draft, { type: 'choice', label: 'Look', place: '/settings/theme', options: ['midnight', 'pop'] });
    makeField(draft, { type: 'items', label: 'Items', place: '/tier_list/items' });
  },
);
const FIELDS = TEMPLATE.template!;
const COLUMNS = columnsOf(FIELDS);
const SIZE = { rows: 4, columns: 5, page: 2 };

const to = (row: number, column: number, row2: number, column2: number): TableRange => ({
  anchor: { row, column },
  active: { row: row2, column: column2 },
});
const pasted = (table: EpisodeTable, range: TableRange, text: string) =>
  pasteTexts(table, COLUMNS, range, clipboardCells(text));
const texts = (table: EpisodeTable) => textsIn(table, COLUMNS, to(0, 0, table.rows.length - 1, COLUMNS.length - 1));
const withTable = (table: EpisodeTable) => ({ ...TEMPLATE, studio: { ...TEMPLATE.studio, table } });

const WEEK = 'snacks\tSnacks, ranked\t12\tpop\t"Pizza | S\nTacos | a"\r\nsoups\tSoups\t13\r\n';

test('cells of a spreadsheet become values by the type of their column, and rows are added for them', () => {
  const { table, range, left } = pasted(NO_EPISODES, at(0, 0), WEEK);
  assert.equal(left, 0);
  assert.deepEqual(range, to(0, 0, 1, 4));
  assert.deepEqual(
    table.rows.map(({ video, values }) => ({ video, values })),
    [
      {
        video: 'snacks',
        values: {
          title: 'Snacks, ranked',
          week: 12,
          look: 'pop',
          items: [
            { name: 'Pizza', row: 'S' },
            { name: 'Tacos', row: 'a' },
          ],
        },
      },
      { video: 'soups', values: { title: 'Soups', week: 13 } },
    ],
  );
  // What is copied pastes as the same values.
  const copied = clipboardText(texts(table));
  const again = pasted(NO_EPISODES, at(0, 0), copied);
  assert.deepEqual(again.table.rows, table.rows);
  // A cell with quotes, tabs and line ends, and a quote that is only a letter.
  assert.deepEqual(clipboardCells('"a ""b""\tc\r\nd"\te\n"not closed\tf'), [
    ['"a ""b""', 'c'],
    ['d"', 'e'],
    ['"not closed', 'f'],
  ]);
  assert.deepEqual(clipboardCells('"a ""b""\tc\r\nd"\te\n'), [['a "b"\tc\r\nd', 'e']]);
});

test('a paste keeps the rows around it, repeats itself in a larger range, and reports cells without a place', () => {
  const { table } = pasted(NO_EPISODES, at(0, 0), 'a\nb\nc\nd\n');
  const two = pasted(table, to(1, 1, 2, 1), 'Same');
  assert.deepEqual(
    two.table.rows.map(({ values }) => values.title),
    [undefined, 'Same', 'Same', undefined],
  );
  assert.equal(two.table.rows[0], table.rows[0]);
  assert.equal(two.table.rows[3], table.rows[3]);
  const wide = pasted(table, at(0, 3), 'pop\tx | S\ttoo\tmany');
  assert.equal(wide.left, 2);
  assert.deepEqual(wide.table.rows[0]!.values, { look: 'pop', items: [{ name: 'x', row: 'S' }] });
  // Ids of new rows are those of no other, also of none that was removed.
  const more = insertRows(removeRows(table, at(3, 0)), 1, 2);
  assert.deepEqual(
    more.rows.map(({ id }) => id),
    [1, 5, 6, 2, 3],
  );
});

test('cells are set, cleared and filled down; what changes nothing is the same table', () => {
  const { table } = pasted(NO_EPISODES, at(0, 0), 'a\tOne\t1\nb\nc\n');
  const filled = fillDown(table, COLUMNS, to(0, 1, 2, 2));
  assert.deepEqual(texts(filled)[2]!.slice(0, 3), ['c', 'One', '1']);
  assert.deepEqual(texts(fillDown(table, COLUMNS, at(1, 1)))[1]!.slice(0, 2), ['b', 'One']);
  assert.equal(fillDown(table, COLUMNS, at(0, 1)), table);
  const cleared = clearCells(filled, COLUMNS, to(2, 2, 0, 1));
  assert.deepEqual(texts(cleared), [
    ['a', '', '', '', ''],
    ['b', '', '', '', ''],
    ['c', '', '', '', ''],
  ]);
  assert.equal(clearCells(cleared, COLUMNS, to(0, 1, 2, 2)), cleared);
  assert.equal(setValue(table, COLUMNS, { row: 0, column: 1 }, 'One'), table);
  assert.equal(setValue(table, COLUMNS, { row: 3, column: 1 }, 'New').rows[3]!.values.title, 'New');
});

test('keys move and extend the selection as in a spreadsheet', () => {
  const key = (range: TableRange, name: string) => movedBy(range, name, SIZE);
  const moves: readonly (readonly [from: TableRange, key: string, to: TableRange | null])[] = [
    [at(0, 0), 'arrowup', at(0, 0)],
    [at(0, 0), 'arrowdown', at(1, 0)],
    [at(1, 1), 'shift+arrowright', to(1, 1, 1, 2)],
    [to(1, 1, 1, 2), 'arrowdown', at(2, 2)],
    [at(2, 3), 'home', at(2, 0)],
    [at(2, 3), 'end', at(2, 4)],
    [at(2, 3), 'ctrl+home', at(0, 0)],
    [at(1, 1), 'ctrl+shift+end', to(1, 1, 3, 4)],
    [at(0, 2), 'pagedown', at(2, 2)],
    [at(1, 4), 'tab', at(2, 0)],
    [at(1, 0), 'shift+tab', at(0, 4)],
    [at(3, 4), 'tab', null],
    [at(0, 0), 'shift+tab', null],
    [at(3, 1), 'enter', at(3, 1)],
    [at(2, 1), 'shift+space', to(2, 0, 2, 4)],
    [at(2, 1), 'ctrl+a', to(0, 0, 3, 4)],
    [at(2, 1), 'x', null],
  ];
  for (const [from, name, expected] of moves) assert.deepEqual(key(from, name), expected, name);
});

test('[C85] a row has the errors that the service would report, each at its field; rows are checked once', () => {
  const { table } = pasted(
    NO_EPISODES,
    at(0, 0),
    `right\tA title\t12\tpop\tPizza | S\nwrong\t${'x'.repeat(31)}\t12,5\tgrey\tPizza | Z\nlate\t\t54\t\t\n`,
  );
  const checks = new TableChecks(withTable(table), LIMITS);
  const [right, wrong, late] = table.rows.map((row) => checks.faultsOf(row));
  assert.deepEqual([...right!], []);
  assert.deepEqual([...wrong!.keys()].sort(), ['items', 'look', 'title', 'week']);
  assert.match(wrong!.get('week')!, /point as decimal sign, not a comma: "12,5"/);
  assert.deepEqual([...late!.keys()].sort(), ['items', 'week']);
  assert.match(late!.get('week')!, /at most 53/);
  assert.equal(checks.faultsOf(table.rows[1]!), wrong);
  // The same words as those of the service, for every row.
  for (const [index, { values }] of table.rows.entries()) {
    const filled = fillProject(JSON.parse(JSON.stringify(writtenProject(TEMPLATE))), values, { files: true });
    const sent = 'issues' in filled ? filled.issues.map(({ message }) => message) : [];
    const shown = [...checks.faultsOf(table.rows[index]!).values()].filter((text) => !/decimal sign/.test(text));
    for (const message of shown) assert.ok(sent.includes(message), message);
    assert.equal('issues' in filled, index > 0);
  }
  const twice = pasted(table, at(1, 0), 'right').table;
  assert.deepEqual([...repeatedNames(twice)], [[twice.rows[1]!.id, 'Row 1 has the same name.']]);
});

test('a file of another kind than the field, or that is nowhere, is an error of its row only', () => {
  const field = { name: 'host', type: 'media', kind: 'picture' } as TemplateField;
  const columns = [...COLUMNS, { field, label: 'Host' }];
  const [right, wrong] = [
    picture('host.png'),
    { ...picture('host.mp3'), hash: 'b'.repeat(64), kind: 'audio' as const },
  ];
  const files = { [right.hash]: right, [wrong.hash]: wrong };
  const faults = (values: EpisodeRow['values'], missing: readonly string[] = []) =>
    [...fileFaults({ id: 1, video: '', values }, columns, files, new Set(missing))].flat();
  assert.deepEqual(faults({ host: storedPlace(right.hash), title: 'x' }), []);
  assert.deepEqual(faults({ host: storedPlace(wrong.hash) }), ['host', 'host.mp3 is no picture.']);
  const items = [{ name: 'Brie', picture: storedPlace(right.hash) }];
  assert.deepEqual(faults({ items }, [right.hash]), [
    'items',
    'host.png is not in this browser. Choose the file again.',
  ]);
});

test('a bar, a line end and a backslash in an item stay in it when the cell is edited or pasted', () => {
  const items = [{ name: 'Salt | Pepper', row: 'S', note: 'one\ntwo' }, { name: 'C:\\new' }];
  const column = COLUMNS[4]!;
  const text = textAt({ id: 1, video: '', values: { items } }, column);
  assert.equal(text.split('\n').length, 2);
  assert.deepEqual(valueFrom(column, text), items);
  assert.deepEqual(valueFrom(column, 'Pizza |S||8'), [{ name: 'Pizza', row: 'S', score: '8' }]);
});

test('equal rows of a table are stored once in all versions, and rows keep their ids in a file', () => {
  const { table } = pasted(NO_EPISODES, at(0, 0), 'a\nb\nc\n');
  const project = withTable(removeRows(table, at(0, 0)));
  const read = readProjectText(JSON.stringify(writtenProject(project)), LIMITS).project;
  assert.deepEqual(read.studio.table, project.studio.table);
  const shared = sharingRows(withTable(setValue(read.studio.table!, COLUMNS, { row: 0, column: 1 }, 'New')), project);
  assert.notEqual(shared.studio.table!.rows[0], project.studio.table!.rows[0]);
  assert.equal(shared.studio.table!.rows[1], project.studio.table!.rows[1]);
});

test('the preview of a row has its values and items; wrong ones leave those of the template', () => {
  const file = picture('host.png');
  const { table } = pasted(
    { rows: [], files: { [file.hash]: file } },
    at(0, 0),
    `a\tCheese\t7\tpop\t"Brie | S | ${storedPlace(file.hash)}\nGouda | A | https://example.com/gouda.png"\nb\t\tx\n`,
  );
  const project = withTable(table);
  const shown = projectOfRow(project, table.rows[0]!, LIMITS);
  const { tier_list, settings, timeline_data } = documentsOf(shown);
  assert.deepEqual([tier_list.title, settings.theme], ['Cheese', 'pop']);
  assert.equal(timeline_data.titles[0]!.text, 'Week 7');
  assert.deepEqual(
    tier_list.items.map(({ name, file_field }) => [name, file_field === undefined]),
    [
      ['Brie', false],
      ['Gouda', true],
    ],
  );
  assert.equal(shown.studio.media[tier_list.items[0]!.file_field!], file);
  const other = documentsOf(projectOfRow(project, table.rows[1]!, LIMITS));
  assert.deepEqual([other.tier_list.title, other.timeline_data.titles[0]!.text], ['Every snack, ranked', 'Week 12']);
});

test('[C83] a table is saved as CSV and read again; columns with other names are refused with their place', () => {
  const { table } = pasted(NO_EPISODES, at(0, 0), WEEK);
  const text = tableText(table, FIELDS);
  assert.equal(
    text,
    '\uFEFFvideo,title,week,look,items.name,items.row\r\n' +
      'snacks,"Snacks, ranked",12,pop,Pizza,S\r\nsnacks,,,,Tacos,a\r\nsoups,Soups,13,,,\r\n',
  );
  assert.equal(isTable(text, FIELDS), true);
  assert.equal(isTable('Snacks, ranked\nSoups', FIELDS), false);
  const { rows, faults } = readTable(text, FIELDS);
  assert.deepEqual([addRows(NO_EPISODES, rows), faults], [table, []]);
  const wrong = readTable('video;titel;week\na;b;1', FIELDS);
  assert.deepEqual(wrong.rows, [{ video: 'a', values: { week: 1 } }]);
  assert.match(wrong.faults[0]!, /no field "titel" \(line 1, column 2\)/);
});

test('a table that is imported keeps every cell: a wrong one has its error, a repeated or unnamed video its row', () => {
  const csv = [
    'video;title;week;items.name;items.position',
    'a;One;1,5;Brie;2,5',
    'a;;;Gouda;',
    'a;Two;;Feta;',
    ';Three;13;;',
    ';Four;;Edam;',
  ].join('\n');
  const { rows, faults } = readTable(csv, FIELDS);
  assert.deepEqual(faults, []);
  assert.deepEqual(rows, [
    {
      video: 'a',
      values: { title: 'One', week: '1,5', items: [{ name: 'Brie', position: '2,5' }, { name: 'Gouda' }] },
    },
    { video: 'a', values: { title: 'Two', items: [{ name: 'Feta' }] } },
    { video: '', values: { title: 'Three', week: 13 } },
    { video: '', values: { title: 'Four', items: [{ name: 'Edam' }] } },
  ]);
  const table = addRows(NO_EPISODES, rows);
  const found = new TableChecks(withTable(table), LIMITS).faultsOf(table.rows[0]!);
  assert.match(found.get('week')!, /not a comma: "1,5"/);
  assert.match(found.get('items')!, /position must be/);
  assert.deepEqual([...repeatedNames(table)], [[2, 'Row 1 has the same name.']]);
  // Saved again, no two rows have one name, which would make them one video; a blank row is no video.
  const saved = readTable(tableText(insertRows(table, 0, 1), FIELDS), FIELDS);
  assert.deepEqual(
    saved.rows.map(({ video }) => video),
    ['a', 'a-2', 'row-4', 'row-5'],
  );
  assert.deepEqual(
    saved.rows.map(({ values }) => values),
    rows.map(({ values }) => values),
  );
  // Without items, two lines of a name are two rows.
  const plain = { fields: FIELDS.fields.filter(({ type }) => type !== 'items') };
  assert.equal(readTable('video,week\nx,1\nx,1\n', plain).rows.length, 2);
  const many = addRows(NO_EPISODES, Array(10_001).fill({ video: 'same', values: {} }));
  assert.equal(many.rows.length, 10_000);
  assert.equal(new Set(videoNames(many).values()).size, 10_000);
});

test('the table is kept in the project file, undone with the project, follows a renamed field, and is not in an episode', () => {
  const { table } = pasted(NO_EPISODES, at(0, 0), WEEK);
  const history = doStep(startHistory(TEMPLATE), 'Paste', (draft) => {
    draft.studio.table = table as never;
  });
  const read = readProjectText(JSON.stringify(writtenProject(history.project)), LIMITS);
  assert.deepEqual([read.project.studio.table, read.left], [table, []]);
  assert.equal(undoStep(history).project.studio.table, undefined);
  const renamed = done(history.project, (draft) => void renameField(draft, 'week', 'Number'));
  assert.equal(valueAt(renamed.studio.table!.rows[0]!, columnsOf(renamed.template!)[2]!), 12);
  assert.equal(textAt(table.rows[0]!, COLUMNS[2]!), '12');
  assert.equal(episodeOf(history.project, 'id', []).studio.table, undefined);
});

test('a paste of 200 rows changes 200 rows, and 10,000 rows are the most', () => {
  const { table } = pasted(NO_EPISODES, at(0, 0), 'x\n'.repeat(1000));
  const { table: after } = pasted(table, at(300, 1), 'A title\t1\tpop\n'.repeat(200));
  assert.equal(after.rows.filter((row, index) => row !== table.rows[index]).length, 200);
  const full = pasted(table, at(1000, 0), 'y\n'.repeat(9500));
  assert.deepEqual([full.table.rows.length, full.left], [10_000, 500]);
});

test('[C13, C86] a batch in another format than the template has the size of that format', () => {
  const presets = [
    { name: 'wide', width: 640, height: 360, aliases: ['landscape'] },
    { name: 'tall', width: 360, height: 640, aliases: ['portrait'] },
    { name: 'even', width: 360, height: 360, aliases: ['square'] },
  ] as unknown as Parameters<typeof templateToSend>[2];
  const sized = done(TEMPLATE, (draft) => {
    Object.assign(draft.settings, { preset: 'landscape', width: 1280, height: 720 });
  });
  const settings = (formats: readonly string[]) => templateToSend(sized, formats, presets).settings;
  const { width: _width, height: _height, ...others } = settings(['tall', 'wide']) as Record<string, unknown>;
  assert.deepEqual([_width, _height, others.theme], [1280, 720, '{{look}}']);
  assert.deepEqual(settings(['tall', 'even']), { ...others, preset: 'tall' });
});

test('[C85] a row with nothing in it is blank, and no video is made of it', () => {
  const [filled, blank] = insertRows({ ...NO_EPISODES, rows: [{ id: 1, video: 'one', values: {} }] }, 1, 1).rows;
  assert.deepEqual(
    [isBlank(filled!), isBlank(blank!), isBlank({ id: 3, video: '', values: { week: 1 } })],
    [false, true, false],
  );
  assert.deepEqual(rowsToSend({ fields: {} }, [filled!], new Map([[1, 'one']])), [{ video: 'one' }]);
});
