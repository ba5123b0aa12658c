import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EntryPlaces } from '../../../src/plan/place/entry-places.ts';
import { DEFAULT_TIMELINE_LIMITS } from '../../../src/timeline/limits.ts';
import { parseRequest } from '../../../src/timeline/parse/parse-request.ts';
import { DEFAULT_PRESETS } from '../../../src/timeline/presets.ts';

const FILE = `WEBVTT

00:01.000 --> 00:03.000
One

00:02.000 --> 00:04.000 line:10% align:end
Two

00:02.500 --> 00:05.000
Three
`;

function parse(entry: object | object[], texts: Readonly<Record<string, string>>, more: object = {}) {
  return parseRequest(
    { tier_list: {}, timeline_data: { subtitle_files: [entry].flat(), ...more } },
    {
      limits: { ...DEFAULT_TIMELINE_LIMITS, maxEntriesPerLane: 5, maxTextLength: 100, maxTimelineSeconds: 60 },
      presets: DEFAULT_PRESETS,
      uploads: new Set(['subs']),
      subtitleTexts: new Map(Object.entries(texts)),
    },
  );
}

test('[C43] each cue becomes a subtitle in the style of its entry, later by its offset', () => {
  const entry = { file_field: 'subs', offset: 10, size: 60, text_color: '#FFCC00', background_alpha: 50 };
  const { timeline, warnings } = parse(entry, { subs: FILE }, { subtitles: [{ text: 'Zero', start: 0, duration: 1 }] });
  assert.deepEqual(warnings, []);
  assert.deepEqual(
    timeline.subtitles.map(({ text, start, duration, path }) => [text, start, duration, path]),
    [
      ['Zero', 0, 1, '/timeline_data/subtitles/0'],
      ['One', 11, 2, '/timeline_data/subtitle_files/0'],
      ['Two', 12, 2, '/timeline_data/subtitle_files/0'],
      ['Three', 12.5, 2.5, '/timeline_data/subtitle_files/0'],
    ],
  );
  for (const { size, textColor, backgroundColor, backgroundAlpha } of timeline.subtitles.slice(1)) {
    assert.deepEqual([size, textColor, backgroundColor, backgroundAlpha], [60, '#ffcc00', '#000000', 50]);
  }
  assert.equal(new Set(timeline.subtitles.map(({ id }) => id)).size, 4);
});

test("[C43] a cue's own position takes precedence; overlapping cues without one are stacked", () => {
  const request = parse({ file_field: 'subs' }, { subs: FILE });
  const { subtitles } = request.timeline;
  assert.deepEqual(
    subtitles.map(({ raisedLines }) => raisedLines),
    [0, 0, 1],
  );
  assert.deepEqual([subtitles[0]!.box, subtitles[0]!.align], [{}, 'center']);
  assert.equal(subtitles[1]!.align, 'right');
  const { box } = placesIn(request, 'landscape').subtitle(subtitles[1]!);
  assert.equal(box.y, 10);
  assert.ok(box.height < 8, 'as tall as its line, since text stands at the foot of its box');
});

test('[C43] the box of a positioned cue is as tall as its text is in each preset, whatever its style', () => {
  const heights = (entry: object) => {
    const request = parse({ file_field: 'subs', ...entry }, { subs: FILE });
    return (['landscape', 'portrait', 'square'] as const).map((shape) => {
      const places = placesIn(request, shape);
      const { box, size } = places.subtitle(request.timeline.subtitles[1]!);
      assert.equal(box.y, 10);
      assert.ok(Math.abs(box.height - (1.78 * size) / 10.8) < 1e-9, `${box.height} for ${size}`);
      return size;
    });
  };
  assert.deepEqual(heights({}), [48, 48, 48]);
  assert.deepEqual(heights({ style: 'pop' }), [80, 100, 88]);
  assert.deepEqual(heights({ style: 'pop', size: 30 }), [30, 30, 30]);
  assert.deepEqual(heights({ style: 'pop', presets: { portrait: { size: 90 } } }), [80, 90, 88]);
  const own = { presets: { portrait: { y_percent: 50, height_percent: 20 } } };
  const request = parse({ file_field: 'subs', ...own }, { subs: FILE });
  const { y, height } = placesIn(request, 'portrait').subtitle(request.timeline.subtitles[1]!).box;
  assert.deepEqual([y, height], [50, 20], 'a place in one preset wins over the file');
});

function placesIn(request: ReturnType<typeof parse>, shape: 'landscape' | 'portrait' | 'square'): EntryPlaces {
  const preset = DEFAULT_PRESETS.find(({ aliases }) => aliases.includes(shape))!;
  return new EntryPlaces(request, preset.name, preset);
}

test('[C43] before its text is read a file is not an error, and the timeline is not empty', () => {
  const { timeline } = parse({ file_field: 'subs' }, {});
  assert.deepEqual(timeline.subtitles, []);
  assert.deepEqual(timeline.subtitleFiles, [{ field: 'subs', path: '/timeline_data/subtitle_files/0/file_field' }]);
  assert.throws(() => parse({ file_field: 'subs' }, { subs: 'WEBVTT\n' }), { code: 'timeline.empty' });
  assert.throws(() => parse({ file_field: 'other' }, {}), { code: 'media.not_uploaded' });
});

test('[C43] a file that was read once need not be uploaded again', () => {
  assert.equal(parse({ file_field: 'gone' }, { gone: FILE }).timeline.subtitles.length, 3);
});

test('[C43] the part before the start is cut off', () => {
  const { timeline, warnings } = parse({ file_field: 'subs', offset: -3 }, { subs: FILE });
  assert.deepEqual(
    timeline.subtitles.map(({ text, start, duration }) => [text, start, duration]),
    [
      ['Two', 0, 1],
      ['Three', 0, 2],
    ],
  );
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['subtitle_file.before_start'],
  );
});

test('[C43] a cue that ends at its start is left out with a warning, and the others are kept', () => {
  const subs = '1\n00:00:01,000 --> 00:00:01,000\nNever\n\n2\n00:00:01,000 --> 00:00:02,000\nSeen\n';
  const { timeline, warnings } = parse({ file_field: 'subs' }, { subs });
  assert.deepEqual(
    timeline.subtitles.map(({ text }) => text),
    ['Seen'],
  );
  assert.deepEqual(
    warnings.map(({ code, message }) => [code, message.slice(0, 32)]),
    [['subtitle_file.no_duration', '1 subtitles of the file "subs" h']],
  );
});

test('[C43] limits and errors name the file, the line and the value', () => {
  const path = '/timeline_data/subtitle_files/0/file_field';
  const refused = (text: string, code: string, message: RegExp, entry: object = {}) => {
    assert.throws(() => parse({ file_field: 'subs', ...entry }, { subs: text }), { code, path, message });
  };
  refused('1\n00:00:01,000 --> never\nx', 'subtitle_file.times', /"subs", line 2.*"00:00:01,000 --> never"/);
  refused('MZ\u0000\u0001', 'subtitle_file.kind', /"subs", line 1/);
  refused(`1\n00:00:01,000 --> 00:00:02,000\n${'x'.repeat(101)}`, 'subtitle_file.text_length', /line 2: .*100.*101/);
  refused(FILE, 'timeline.too_long', /line 3: it ends at 62 s/, { offset: 59 });
  const many = Array.from({ length: 6 }, (_, n) => `${n}\n00:00:0${n},000 --> 00:00:0${n},500\nx\n`).join('\n');
  refused(many, 'timeline.too_many_entries', /"subs" has 6 subtitles.* 5/);
  assert.throws(() => parse([{ file_field: 'subs' }, { file_field: 'subs' }], { subs: FILE }), {
    code: 'timeline.too_many_entries',
    path: '/timeline_data/subtitle_files/1/file_field',
  });
});
