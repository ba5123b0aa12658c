import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ExportError } from '../../src/errors.ts';
import { captionsText } from '../../src/plan/captions-text.ts';
import type { RenderPlan } from '../../src/plan/model/render-plan.ts';
import { captionPages } from '../../src/plan/place/place-subtitles.ts';
import { frames } from '../../src/time.ts';
import { CAPTION_STYLES, THEMES } from '../../src/timeline/choices.ts';
import { facts, parse, plan } from '../request-builder.ts';

const FONT = facts('font', { kind: 'font', duration: 0, width: 0, height: 0, sound: false });

function captioned(subtitle: object, settings: object = {}, preset = 'portrait'): RenderPlan {
  const timeline_data = { subtitles: [{ text: 'one two three four five', start: 0, duration: 5, ...subtitle }] };
  const uses = JSON.stringify([subtitle, settings]).includes('"font_field"');
  return plan({ tier_list: {}, timeline_data, settings }, uses ? { font: FONT } : {}, preset);
}

function pages(subtitle: object, settings: object = {}, preset = 'portrait'): string[] {
  const { painted } = captioned(subtitle, settings, preset);
  return painted.subtitle.map(({ text, shows }) => `${text} ${shows.start}-${shows.end}`);
}

const spoken = (text: string, ...starts: number[]) =>
  text.split(' ').map((word, i) => ({ text: word, start: starts[i]! }));

test('[C62, R44] a style has its size, weight, outline and pages; plain and no style are the same', () => {
  const none = captioned({}).painted.subtitle[0]!;
  assert.deepEqual([none.sizePx, none.letters, none.look, none.background], [48, null, null, null]);
  assert.deepEqual(captioned({ style: 'plain' }).painted.subtitle, [none]);
  for (const style of CAPTION_STYLES.filter((name) => name !== 'plain')) {
    const [first, ...more] = captioned({ style }).painted.subtitle;
    assert.equal(first!.sizePx, style === 'pop' ? 100 : 76, style);
    assert.equal(first!.letters!.role, 'display', style);
    assert.deepEqual(first!.look!.outline, { color: '#000000', em: 0.09 }, style);
    const isPaged = style === 'pop' || style === 'shout';
    assert.deepEqual(
      [first!.text.toLowerCase(), more.length],
      isPaged ? ['one two three', 1] : ['one two three four five', 0],
    );
    const pagesOfNine = ['portrait', 'square', 'landscape'].map(
      (preset) => captioned({ style, text: 'a b c d e f g h i' }, {}, preset).painted.subtitle.length,
    );
    assert.deepEqual(pagesOfNine, style === 'pop' ? [3, 3, 3] : isPaged ? [3, 2, 1] : [2, 1, 1], style);
  }
  const [shout] = captioned({ style: 'shout' }).painted.subtitle;
  assert.equal(shout!.text, 'ONE TWO THREE');
  assert.equal(shout!.letters!.font!.families.display, 'Tiercut Montserrat 800');
});

test('[R37, R44] pop looks as its theme has it, unless the style or the font of the theme is changed; other styles do not', () => {
  const look = (style: unknown, theme: unknown) => {
    const { text, letters, look } = captioned({ style }, { theme }).painted.subtitle[0]!;
    return [text, letters!.font?.families.display, look!.highlight, look!.highlightColor];
  };
  assert.deepEqual(look('pop', 'midnight'), ['one two three', 'Tiercut Montserrat 800', 'scale', '#38f07f']);
  assert.deepEqual(look('pop', 'broadcast'), ['ONE TWO THREE', 'Tiercut Oswald 700', 'pill', '#e11d48']);
  const own = { base: 'pop', uppercase: false, highlight: 'color', highlight_color: '#112233', font: 'Rubik' };
  assert.deepEqual(look(own, 'broadcast'), ['one two three', 'Tiercut Rubik 800', 'color', '#112233']);
  assert.equal(look('pop', { base: 'broadcast', font: 'Nunito' })[1], 'Tiercut Nunito 800');
  assert.deepEqual(look('shout', 'broadcast'), look('shout', 'midnight'));
  const looks = THEMES.map((theme) => String(look('pop', theme)));
  assert.equal(new Set(looks).size, THEMES.length, 'each theme has captions of its own');
});

test('[C62] fields of a subtitle override its style, those of a style its base, an entry the settings', () => {
  const own = { size: 30, text_color: '#102030', background_color: '#405060', background_alpha: 50 };
  const [subtitle] = captioned({ style: 'box', ...own }).painted.subtitle;
  assert.deepEqual([subtitle!.sizePx, subtitle!.color], [30, '#102030']);
  assert.deepEqual(subtitle!.background, { color: '#405060', alpha: 0.5 });
  assert.equal(subtitle!.look!.outline.color, '#ffffff', 'dark letters have a light outline');
  const changed = {
    base: 'pop',
    weight: 600,
    outline_color: '#00FF00',
    outline_width: 0.2,
    highlight: 'pill',
    max_words: 9,
  };
  const [other, ...rest] = captioned({ style: changed }).painted.subtitle;
  assert.deepEqual(other!.look!.outline, { color: '#00ff00', em: 0.2 });
  assert.deepEqual(
    [other!.look!.highlight, other!.letters!.font!.families.text, rest.length],
    ['pill', 'Tiercut Montserrat 600', 0],
  );
  const settings = { subtitle_style: { base: 'shout', max_words: 1 } };
  assert.equal(captioned({}, settings).painted.subtitle.length, 5);
  assert.equal(
    captioned({ style: { max_words: 3 } }, settings).painted.subtitle[0]!.text,
    'ONE TWO THREE',
    'over the settings’',
  );
  assert.deepEqual(captioned({ style: 'plain' }, settings).painted.subtitle, captioned({}).painted.subtitle);
});

test("[C62, C63] a caption uses the font of its style, else the theme's, else that of its base", () => {
  const family = (subtitle: object, settings: object = {}) =>
    captioned(subtitle, settings).painted.subtitle[0]!.letters?.font?.families.display ?? null;
  const theme = { theme: { font: 'Anton' } };
  assert.equal(family({ style: 'pop' }), 'Tiercut Montserrat 800');
  assert.equal(family({ style: 'pop' }, theme), 'Tiercut Anton 400');
  assert.equal(family({ style: { base: 'pop', font: 'Inter' } }, theme), 'Tiercut Inter 800');
  const upload = captioned({ style: { font: 'Inter', font_field: 'font' } });
  assert.equal(upload.sources[upload.painted.subtitle[0]!.letters!.font!.source!]!.hash, FONT.hash);
  assert.equal(family({ style: 'outline' }), null);
});

test('[C62] a page changes when its next word is spoken, else by the length of the words', () => {
  const text = 'one two three four five';
  const words = spoken(text, 0.5, 1, 1.5, 3, 4);
  assert.deepEqual(pages({ style: 'pop', words }), ['one two three 0-90', 'four five 90-150']);
  assert.deepEqual(pages({ style: { base: 'pop', max_words: 1 } }), [
    'one 0-24',
    'two 24-47',
    'three 47-87',
    'four 87-118',
    'five 118-150',
  ]);
  const some = words.slice(0, 3);
  assert.deepEqual(pages({ style: { base: 'pop', max_words: 2 }, words: some }), [
    'one two 0-45',
    'three four 45-118',
    'five 118-150',
  ]);
  assert.deepEqual(
    pages({ style: { max_words: 3 }, text: 'a  b\nc d' }),
    ['a  b 0-75', 'c d 75-150'],
    'as many on each',
  );
});

test('[C62] in scripts without spaces four characters count as a word', () => {
  const style = { base: 'outline', max_words: 2 };
  assert.deepEqual(pages({ style, text: '今日は世界で一番おいしいお菓子です。' }), [
    '今日は世界で 0-50',
    '一番おいしい 50-100',
    'お菓子です。 100-150',
  ]);
  const words = [
    { text: '今日は', start: 0 },
    { text: '世界で一番', start: 1 },
    { text: 'おいしい', start: 3 },
  ];
  assert.deepEqual(
    pages({ style, text: '今日は世界で一番おいしい', words }),
    ['今日は世界で一番 0-90', 'おいしい 90-150'],
    'cut between words',
  );
  for (const page of pages({ style: { max_words: 1 }, text: 'เก้าอี้ไม้' })) assert.doesNotMatch(page, /^\p{M}/u);
});

test('[C62] each character of a text is on a page, in order', () => {
  const pagesOf = (text: string, words: { from: number; to: number; start: number }[], most: number) =>
    captionPages(
      { text, words },
      most,
      { start: 0, end: 100 },
      { num: 30, den: 1 },
      { start: frames(0), end: frames(3000) },
    );
  assert.deepEqual(pages({ style: { max_words: 1 }, text: '\u0e31' }), ['\u0e31 0-150']);
  assert.deepEqual(pages({ style: { max_words: 1 }, text: '\u0e31\u0e01' }), ['\u0e31\u0e01 0-150']);
  const unit = fc.constantFrom(
    'a',
    ' ',
    '\n',
    '今',
    '。',
    'ー',
    '\u0e01',
    '\u0e31',
    '\u0e40',
    '\u0301',
    '😀',
    '\u0e33',
  );
  const texts = fc.string({ unit, minLength: 1, maxLength: 60 }).filter((text) => text.trim() !== '');
  fc.assert(
    fc.property(texts, fc.array(fc.nat(200)), fc.integer({ min: 1, max: 5 }), (text, places, most) => {
      const begins = [...new Set(places)].sort((a, b) => a - b).filter((at) => /\S/u.test(text[at] ?? ' '));
      const words = begins.map((from, i) => ({ from, to: from + 1, start: i / 2 }));
      const found = pagesOf(text, words, most);
      assert.ok(found.length > 0);
      const shown = found.map(({ from, to }) => text.slice(from, to)).join('');
      assert.equal(shown.replace(/\s/gu, ''), text.replace(/\s/gu, ''));
      for (const [i, { from, shows }] of found.entries()) {
        assert.ok(i === 0 || from >= found[i - 1]!.to);
        assert.ok(shows.start < shows.end);
      }
    }),
  );
});

test('[C62] the work for a caption grows with its length, not with its square', () => {
  const reads = (count: number) => {
    let read = 0;
    const words = Array.from({ length: count }, (_, i) => ({
      get from() {
        read += 1;
        return i * 2;
      },
      to: i * 2 + 1,
      start: i,
    }));
    const text = '今 '.repeat(count);
    const shows = { start: frames(0), end: frames(count * 30) };
    const found = captionPages({ text, words }, 1, { start: 0, end: count }, { num: 30, den: 1 }, shows);
    assert.ok(found.length >= count / 4);
    return read;
  };
  assert.ok(reads(2000) < reads(200) * 20);
});

test('[C62] if there are more pages than frames, those that come too late are left out', () => {
  assert.deepEqual(pages({ style: { max_words: 1 }, duration: 0.1 }), ['one 0-1', 'two 1-2', 'three 2-3']);
});

test('[C62] capitals follow the language, and the words keep their times', () => {
  const lit = (subtitle: object) => {
    const { text, words } = captioned({ style: { uppercase: true }, ...subtitle }).painted.subtitle[0]!;
    return words.map(({ from, to }) => text.slice(from, to));
  };
  assert.deepEqual(lit({ text: 'große Straße hier', words: spoken('große Straße hier', 0, 1, 2) }), [
    'GROSSE',
    'STRASSE',
    'HIER',
  ]);
  assert.deepEqual(lit({ text: 'Καλημέρα κόσμε', words: spoken('Καλημέρα κόσμε', 0, 1) }), ['ΚΑΛΗΜΕΡΑ', 'ΚΟΣΜΕ']);
  assert.deepEqual(lit({ text: 'iyi ışık', words: spoken('iyi ışık', 0, 1) }), ['İYİ', 'IŞIK']);
  assert.deepEqual(lit({ text: 'list it', words: spoken('list it', 0, 1) }), ['LIST', 'IT']);
});

test('[C62, C43] captions return complete subtitles as they were sent', () => {
  const made = captioned({ style: 'shout', text: 'große one two three four five' });
  assert.ok(made.painted.subtitle.length > 1);
  assert.equal(captionsText(made, 'srt'), '1\n00:00:00,000 --> 00:00:05,000\ngroße one two three four five\n');
});

test("[C62, R18] everything that changes a caption's pixels is in its key; each page has its own", () => {
  const key = (subtitle: object) =>
    captioned({ words: spoken('one two three four five', 1, 2, 3, 4, 4.5), ...subtitle }).chunks[0]!.key;
  const styles = [
    ...CAPTION_STYLES,
    { base: 'pop', weight: 400 },
    { base: 'pop', outline_width: 0.1 },
    { base: 'pop', outline_color: '#111111' },
    { base: 'pop', highlight_color: '#111111' },
    { base: 'pop', highlight: 'color' },
    { base: 'pop', max_words: 2 },
    { base: 'pop', font: 'Anton' },
  ];
  const keys = styles.map((style) => key({ style }));
  assert.equal(new Set(keys).size, styles.length);
  assert.equal(key({ style: 'plain' }), key({}));
});

test('[C62, R32] a caption with a style has only its own background over a board', () => {
  const request = (subtitle: object) => ({
    tier_list: { rows: [{ id: 's', item_ids: ['x'] }], items: [{ id: 'x' }] },
    timeline_data: {
      tier_blocks: [{ start: 0, duration: 30 }],
      subtitles: [{ text: 'a', start: 0, duration: 1, ...subtitle }],
    },
  });
  const background = (subtitle: object) => plan(request(subtitle), {}, 'portrait').painted.subtitle[0]!.background;
  assert.deepEqual(background({}), { color: '#000000', alpha: 0.6 });
  assert.equal(background({ style: 'outline' }), null);
  assert.equal(background({ style: 'plain' }), null);
});

test('[C62] an unknown style, highlight or font lists the known ones', () => {
  const message = (style: unknown) => {
    try {
      parse({ tier_list: {}, timeline_data: { subtitles: [{ text: 'a', start: 0, duration: 1, style }] } });
      return '';
    } catch (error) {
      assert.ok(error instanceof ExportError);
      return error.message;
    }
  };
  assert.match(
    message('karaoke'),
    /style must be one of "plain", "outline", "box", "pill", "pop", "shout", or an object/,
  );
  assert.match(message({ base: 'karaoke' }), /base must be one of "plain", .*"shout", not "karaoke"/);
  assert.match(message({ highlight: 'blink' }), /highlight must be one of "color", "pill", "scale", not "blink"/);
  assert.match(message({ font: 'Impact' }), /font must be one of "Noto Sans", .*, not "Impact"/);
  assert.match(message({ max_words: 0 }), /max_words must be a whole number from 1 to 100, not 0/);
});

test('[R44] plain captions have a plate over the ground of a light theme, unless their letters are dark', () => {
  const plateOf = (theme: string, more: object = {}, background: object = { kind: 'theme' }) => {
    const subtitles = [{ text: 'Hello', start: 0, duration: 2, ...more }];
    const made = plan({ tier_list: {}, timeline_data: { subtitles }, settings: { theme, background } }, {});
    return made.painted.subtitle[0]!.background;
  };
  for (const theme of ['paper', 'mono']) {
    assert.ok(plateOf(theme) !== null && plateOf(theme, { style: 'plain' }) !== null, theme);
    assert.equal(plateOf(theme, { text_color: '#101010' }), null);
    assert.equal(plateOf(theme, { style: 'outline' }), null);
    assert.equal(plateOf(theme, {}, { kind: 'gradient', colors: ['#000000', '#111111'] }), null);
  }
  assert.equal(plateOf('midnight'), null);
});
