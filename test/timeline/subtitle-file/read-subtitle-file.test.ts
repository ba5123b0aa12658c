import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeSubtitleFile, readSubtitleFile } from '../../../src/timeline/subtitle-file/read-subtitle-file.ts';
import { timesLonger } from '../../processor-time.ts';

const SRT = `1
00:00:01,000 --> 00:00:02,500
Hello <i>there</i>

2
00:00:02,500 --> 00:00:04,000 X1:100 X2:200
{\\an8}<font color="#ff0000">Two</font>
lines & more

3
00:00:05,1 --> 00:00:06,20

after a blank line
`;

function texts(file: string) {
  return readSubtitleFile(file).cues.map(({ line, start, end, text }) => [line, start, end, text]);
}

test('[C43] SRT: times, text and lines; tags and commands are not shown', () => {
  const { cues, faults } = readSubtitleFile(SRT);
  assert.deepEqual(faults, []);
  assert.deepEqual(texts(SRT), [
    [2, 1, 2.5, 'Hello there'],
    [6, 2.5, 4, 'Two\nlines & more'],
    [11, 5.1, 6.2, 'after a blank line'],
  ]);
  assert.deepEqual(cues[1]!.place, { align: 'center', down: { percent: 5, edge: 'top' } });
  assert.deepEqual(texts(SRT.replaceAll('\n', '\r\n')), texts(SRT), 'whatever ends a line');
});

test('[C43] WebVTT: notes, styles and names are skipped; entities, voices and karaoke times are resolved', () => {
  const file = `\ufeffWEBVTT - a title
X-TIMESTAMP-MAP=LOCAL:00:00:00.000

NOTE
00:00:00.000 is mentioned --- only

STYLE
::cue { color: red }

first
00:01.000 --> 00:02.000 position:10%,line-left align:start size:35% line:0
<v Ann>Fish &amp; <b>chips</b> &lt;3 &#x1F41F;</v>

01:00:00.250 --> 01:00:01.000 line:90%,end
<c.yellow>One</c> <00:00:01.500>two <ruby>kan<rt>ji</rt></ruby> a < b
`;
  const { cues, faults } = readSubtitleFile(file);
  assert.deepEqual(faults, []);
  assert.deepEqual(
    cues.map(({ line, start, end, text }) => [line, start, end, text]),
    [
      [11, 1, 2, 'Fish & chips <3 🐟'],
      [14, 3600.25, 3601, 'One two kan a < b'],
    ],
  );
  assert.deepEqual(cues[0]!.place, {
    ...{ align: 'left', widthPercent: 35 },
    ...{ down: { percent: 0, edge: 'top' }, across: { percent: 10, edge: 'left' } },
  });
  assert.deepEqual(cues[1]!.place, { down: { percent: 90, edge: 'bottom' } });
});

test('[C43] an error has its line and the text found there', () => {
  const faults = (file: string) => readSubtitleFile(file).faults.map(({ line, code }) => [line, code]);
  assert.deepEqual(faults('hello\n'), [[1, 'subtitle_file.kind']]);
  assert.deepEqual(faults(''), [[1, 'subtitle_file.kind']]);
  assert.deepEqual(faults('1\n00:00:01 -> 00:00:02\nx\n'), [[2, 'subtitle_file.kind']]);
  const srt = '1\n00:00:05,000 --> 00:00:02,000\nx\n\n2\n00:99:00,000 --> 01:00:00,000\ny\n\n3\nsoon --> later\nz';
  assert.deepEqual(faults(srt), [
    [2, 'subtitle_file.times'],
    [6, 'subtitle_file.times'],
    [10, 'subtitle_file.times'],
  ]);
  assert.match(readSubtitleFile(srt).faults[2]!.message, /"soon --> later"/);
});

test('[C43] UTF-8 and UTF-16, with and without a byte order mark', () => {
  const file = '1\n00:00:01,000 --> 00:00:02,000\nŁódź 日本\n';
  const little = Buffer.from(file, 'utf16le');
  const big = Buffer.from(little).swap16();
  for (const [name, bytes] of Object.entries({
    utf8: Buffer.from(file),
    marked: Buffer.from(`\ufeff${file}`),
    little,
    big,
    littleMarked: Buffer.from(`\ufeff${file}`, 'utf16le'),
    bigMarked: Buffer.from(`\ufeff${file}`, 'utf16le').swap16(),
  })) {
    const text = decodeSubtitleFile(bytes);
    assert.equal(readSubtitleFile(text!).cues[0]?.text, 'Łódź 日本', name);
  }
  assert.equal(decodeSubtitleFile(Buffer.from([0x31, 0x0a, 0xff, 0xe4])), null, 'Latin-1 is neither');
});

test('[C43] a file takes time in proportion to its length, and no known tag is ever shown', async () => {
  const fragments = fc.constantFrom(
    '<b>',
    '</i>',
    '<c.x>',
    '<',
    '>',
    '&amp;',
    '&',
    '{\\an8}',
    '{',
    '\n',
    '\n\n',
    '-->',
    '00:00:01.000',
    ' ',
    'a',
    '1',
    '<rt>',
    'WEBVTT',
  );
  fc.assert(
    fc.property(fc.array(fragments, { maxLength: 200 }), fc.boolean(), (parts, vtt) => {
      const { cues } = readSubtitleFile((vtt ? 'WEBVTT\n\n' : '') + parts.join(''));
      for (const { text } of cues) assert.doesNotMatch(text, /<b>|<\/i>|<c\.x>|\{\\an8\}/);
    }),
  );
  const readAll = (bytes: number) => {
    for (const text of ['<rt>', '<b ', '{\\an', '00:00:01,000 --> ', '&#', '<b>'.repeat(3)]) {
      readSubtitleFile(`1\n00:00:01,000 --> 00:00:02,000\n${text.repeat(bytes / text.length)}`);
    }
  };
  const longer = await timesLonger(
    () => readAll(2 ** 18),
    () => readAll(2 ** 20),
    10,
  );
  assert.ok(longer < 10, `four times the text takes ${longer.toFixed(1)} times as long`);
});
