import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExportError } from '../../../src/errors.ts';
import { CSV_LIMITS, csvText, readCsv } from '../../../src/timeline/csv/read-csv.ts';
import { rowsOf } from '../../../src/timeline/csv/table-rows.ts';
import { IssueList } from '../../../src/timeline/issue-list.ts';
import { readFields } from '../../../src/timeline/project/template-fields.ts';

function refused(text: string): string {
  try {
    readCsv(text);
  } catch (error) {
    assert.ok(error instanceof ExportError);
    return `${error.code} ${error.message}`;
  }
  return assert.fail('it is read');
}

test('[C83] a table is read as spreadsheets write it: mark, separators, quotes, line ends, empty lines', () => {
  const cells = [
    ['1', 'a,b;c'],
    ['2', 'say "hi"\r\ntwice'],
    ['3', '6" pie'],
  ];
  for (const [separator, end, mark] of [
    [',', '\n', ''],
    [';', '\r\n', '\uFEFF'],
    ['\t', '\r', ''],
  ] as const) {
    const quoted = (cell: string) =>
      /[,;\t"\r\n]/.test(cell) && cell !== '6" pie' ? `"${cell.replaceAll('"', '""')}"` : cell;
    const lines = [['no', ' text '], ...cells].map((line) => line.map(quoted).join(separator));
    const table = readCsv(mark + [...lines, separator, '', ''].join(end));
    assert.deepEqual(table.columns, ['no', 'text']);
    assert.deepEqual(
      table.lines.map((line) => line.cells),
      cells,
    );
    assert.deepEqual(
      table.lines.map(({ line }) => line),
      [2, 3, 5],
      'the text in quotes has a line end',
    );
  }
  assert.deepEqual(readCsv('a,b,,\n1,2,,').columns, ['a', 'b']);
  assert.deepEqual(readCsv('a,b\n1').lines[0]?.cells, ['1', '']);
});

test('[C83] a hostile or broken table is refused with line and column', () => {
  assert.match(refused(''), /^csv.empty/);
  assert.match(refused('a,b\n1,2\n1,"x'), /^csv.quote .*line 3, column 2/);
  assert.match(refused('a,b\n1,"x"y'), /^csv.quote .*"y".*line 2, column 2/);
  assert.match(refused('a,,b\n'), /^csv.column .*line 1, column 2/);
  assert.match(refused('a,a\n'), /^csv.column .*columns 1 and 2/);
  assert.match(refused('a,b\n1,2,3'), /^csv.cells .*line 2, column 3/);
  assert.match(refused(','.repeat(1_000_000)), /^csv.too_large .*1000 columns/);
  assert.match(refused(`a\n${'1\n'.repeat(CSV_LIMITS.lines + 1)}`), /^csv.too_large/);
  assert.throws(() => csvText(new Uint8Array(CSV_LIMITS.bytes + 1)), { code: 'csv.too_large' });
  assert.throws(() => csvText(new Uint8Array([0xe9, 0x2c])), { code: 'csv.not_text' });
  assert.equal(csvText(Buffer.from('\uFEFFa\tb', 'utf16le')), 'a\tb');
});

const FIELDS = readFields(
  {
    title: { type: 'text' },
    week: { type: 'number' },
    look: { type: 'choice', options: ['a'] },
    list: { type: 'items' },
  },
  new IssueList(),
)!;

function rows(csv: string, fields = FIELDS) {
  const issues = new IssueList();
  const found = rowsOf(readCsv(csv), fields, issues);
  try {
    issues.throwIfFailed();
  } catch (error) {
    assert.ok(error instanceof ExportError);
    return { ...found, errors: error.issues.map(({ path, code, message }) => `${path} ${code} ${message}`) };
  }
  return { ...found, errors: [] };
}

test('[C83] a table of 10 MiB is read, and one of a byte more is refused', () => {
  const head = 'title,week\n';
  const line = `"${'x'.repeat(1020)}",1\n`;
  const lines = Math.floor((CSV_LIMITS.bytes - head.length) / line.length);
  const text = (head + line.repeat(lines)).padEnd(CSV_LIMITS.bytes, '\n');
  assert.equal(readCsv(csvText(Buffer.from(text))).lines.length, lines);
  assert.throws(() => csvText(Buffer.from(`${text}\n`)), { code: 'csv.too_large' });
});

test('[C83] lines with the same video are one video with their items; cells have the type of their field', () => {
  const {
    rows: found,
    errors,
    placed,
  } = rows(
    'video,title,week,name,row,score,position,list.note\nw1, Snacks ,12,Nuts,s,9,1.5,n\nw2,Other,13,Rye,,,,\nw1,,12,Chips,f,,,',
  );
  assert.deepEqual(errors, []);
  assert.deepEqual(found, [
    {
      video: 'w1',
      line: 2,
      itemLines: [2, 4],
      isBroken: false,
      values: {
        title: ' Snacks ',
        week: 12,
        list: [
          { name: 'Nuts', row: 's', score: '9', position: 1.5, note: 'n' },
          { name: 'Chips', row: 'f' },
        ],
      },
    },
    {
      video: 'w2',
      line: 3,
      itemLines: [3],
      isBroken: false,
      values: { title: 'Other', week: 13, list: [{ name: 'Rye' }] },
    },
  ]);
  const issue = { code: 'row.unknown', message: 'No row.' };
  assert.equal(placed({ ...issue, path: '/rows/0/list/1/row' }, '/rows').message, 'No row. (line 4, column 5, "row")');
  assert.equal(placed({ ...issue, path: '/rows/1/week' }, '/rows').message, 'No row. (line 3, column 3, "week")');
  assert.equal(rows('name\nA\nB').rows.length, 1, 'without the column all items are one video');
});

test('[C83] commas in numbers, unknown columns, two values and videos without a name are errors that say where', () => {
  assert.deepEqual(rows('video;tilte;week\nw1;x;3,5\n;y;4\nw1;z;5').errors, [
    ' csv.column The template has no field "tilte" (line 1, column 2). Did you mean "title"?',
    '/rows/0/week csv.decimal_comma A number has a point as decimal sign, not a comma: "3,5" (line 2, column 3, "week").',
    '/rows csv.video The cell is empty: it names the video (line 3, column 1, "video").',
    '/rows/0/week csv.two_values The video has another value before: "3,5", not "5" (line 4, column 3, "week").',
  ]);
  const plain = readFields({ title: { type: 'text' } }, new IssueList())!;
  assert.deepEqual(rows('video,title\nw1,x\nw1,y', plain).errors, [
    '/rows csv.video The video "w1" is also in line 2 (line 3, column 1, "video").',
  ]);
});
