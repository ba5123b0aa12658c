import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExportError, type Issue } from '../../../src/errors.ts';
import type { MediaFacts } from '../../../src/plan/model/media-facts.ts';
import { type RequestDocuments, readDocuments } from '../../../src/timeline/request-documents.ts';
import { facts, parse, TIER_LIST } from '../../request-builder.ts';

const MEDIA = new Map<string, MediaFacts>([['a', facts('a')]]);
const VIDEO = { id: 'v', file_field: 'a', start: 0, duration: 5 };

function documents(timeline_data: unknown, settings?: unknown, tier_list: unknown = TIER_LIST): RequestDocuments {
  return { tier_list, timeline_data, ...(settings !== undefined && { settings }) };
}

function errors(request: RequestDocuments, uploads: ReadonlyMap<string, MediaFacts> | null = MEDIA): readonly Issue[] {
  try {
    parse(request, uploads);
  } catch (error) {
    assert.ok(error instanceof ExportError);
    assert.ok(error.kind === 'invalid');
    return error.issues;
  }
  return [];
}

/** `path code` of each issue, for comparing. */
function short(issues: readonly Issue[]): string[] {
  return issues.map(({ path, code }) => `${path} ${code}`);
}

function warnings(request: RequestDocuments): string[] {
  return short(parse(request, MEDIA).warnings);
}

test('[C2] tier_list and timeline_data are required, settings are not', () => {
  assert.deepEqual(short(errors({})), [' field.required', ' field.required']);
  assert.deepEqual(errors(documents({ videos: [VIDEO] })), []);
});

test('[C3] a missing file is an error at its entry, an unused upload is a warning', () => {
  const request = documents(
    { videos: [{ ...VIDEO, file_field: 'A' }], soundtracks: [{ file_field: 'tune', duration: 1 }] },
    undefined,
    { items: [{ id: 'x', file_field: '__proto__' }] },
  );
  assert.deepEqual(short(errors(request)), [
    '/tier_list/items/0/file_field media.not_uploaded',
    '/timeline_data/videos/0/file_field media.not_uploaded',
    '/timeline_data/soundtracks/0/file_field media.not_uploaded',
  ]);
  assert.deepEqual(errors(request, null), []);
  const warned = parse(documents({ tier_blocks: [{ start: 0, duration: 1 }] }), MEDIA).warnings;
  assert.deepEqual(short(warned), ['/a media.unreferenced']);
  const sent = new Map([...MEDIA, ['setings', facts('s')]]);
  assert.match(
    parse(documents({ videos: [VIDEO] }), sent).warnings[0]!.message,
    /dropped\. Did you mean "settings"\?$/,
  );
});

test('[C5] all errors of every document are reported together', () => {
  const request = documents(
    {
      videos: [{ ...VIDEO, speed: 11 }, { ...VIDEO, start: -1 }, 7],
      subtitles: [{ start: 0, duration: 0 }],
      tier_tiles: [{ tier_item_id: 'nobody', position: 1 }],
    },
    { fps: 61, quality: 'best', preset: 'imax' },
    { title: 5, rows: [{ id: 'r', color: 'red', item_ids: ['nobody'] }], items: [{ name: 'no id' }] },
  );
  assert.deepEqual(short(errors(request)).sort(), [
    '/settings/fps field.range',
    '/settings/preset field.choice',
    '/settings/quality field.choice',
    '/tier_list/items/0 field.required',
    '/tier_list/rows/0/color field.format',
    '/tier_list/rows/0/item_ids/0 item.unknown',
    '/tier_list/title field.type',
    '/timeline_data/subtitles/0 field.required',
    '/timeline_data/subtitles/0/duration field.range',
    '/timeline_data/tier_tiles/0/tier_item_id item.unknown',
    '/timeline_data/videos/0/speed field.range',
    '/timeline_data/videos/1/id id.duplicate',
    '/timeline_data/videos/1/start field.range',
    '/timeline_data/videos/2 field.type',
  ]);
});

test('[C5] a message gives the error, the value found and the values allowed', () => {
  const [speed] = errors(documents({ videos: [{ ...VIDEO, speed: 11 }] }));
  assert.equal(speed?.message, 'speed must be a number from 0.1 to 10, not 11.');
  const [missing] = errors(documents({ videos: [{ id: 'v' }] }));
  assert.equal(missing?.message, '"file_field" is missing: it must be a text of at most 1000 characters.');
});

test('[C5] a text that is too long is out of its range, the title like others', () => {
  const long = 'x'.repeat(20_001);
  const request = documents({ videos: [VIDEO], subtitles: [{ text: long, start: 0, duration: 1 }] });
  const found = errors({ ...request, tier_list: { ...(request.tier_list as object), title: long } });
  assert.deepEqual(short(found), ['/tier_list/title field.range', '/timeline_data/subtitles/0/text field.range']);
});

test('[C5] errors come with warnings: a misspelt lane explains why the timeline is empty', () => {
  assert.throws(
    () => parse(documents({ video: [VIDEO] }), MEDIA),
    (error: ExportError) => {
      assert.deepEqual(short(error.issues), ['/timeline_data timeline.empty']);
      assert.match(error.warnings[0]!.message, /"video" is an unknown field and is ignored\. Did you mean "videos"\?/);
      return true;
    },
  );
});

test('[C5] an entry that lacks a required field is still checked in all others', () => {
  const request = documents({
    tier_tiles: [{ tier_item_id: 'nobody', position: -1 }],
    tier_blocks: [
      { id: 'b', duration: '1', presets: { imax: {} } },
      { id: 'b', start: 0, duration: 1 },
    ],
  });
  assert.deepEqual(short(errors(request)), [
    '/timeline_data/tier_blocks/0 field.required',
    '/timeline_data/tier_blocks/0/duration field.type',
    '/timeline_data/tier_blocks/1/id id.duplicate',
    '/timeline_data/tier_blocks/0/presets/imax field.choice',
    '/timeline_data/tier_tiles/0/position field.range',
    '/timeline_data/tier_tiles/0/tier_item_id item.unknown',
  ]);
});

test('[C5] a text that is not JSON hides no errors of the other documents, and causes no others', () => {
  const limits = { maxBytes: 10_000, maxDepth: 9, maxValues: 1000 };
  const texts = {
    tier_list: JSON.stringify({ rows: [{ id: 's', color: 'red' }] }),
    timeline_data: JSON.stringify({
      videos: [{ ...VIDEO, volume: 100, trim_start: 4, trim_end: 2, crop_w: 200, speed: 11 }],
      tier_blocks: [{ start: 0, duration: 1 }],
      tier_tiles: [{ tier_item_id: 'x', position: 0 }],
    }),
    settings: '{"fps": 61}',
  };
  const reported = (broken: Partial<typeof texts>) => {
    const { documents: read, unread } = readDocuments(new Map(Object.entries({ ...texts, ...broken })), limits);
    let failure: unknown;
    try {
      parse(read, MEDIA, { unread });
    } catch (error) {
      failure = error;
    }
    assert.ok(failure instanceof ExportError);
    assert.equal(failure.kind, 'malformed');
    assert.deepEqual(failure.warnings, []);
    return short(failure.issues);
  };
  const [color, fps, speed] = [
    '/tier_list/rows/0/color field.format',
    '/settings/fps field.range',
    '/timeline_data/videos/0/speed field.range',
  ];
  assert.deepEqual(reported({ settings: '{fps' }), [
    '/settings json.syntax',
    color,
    speed,
    '/timeline_data/tier_tiles/0/tier_item_id item.unknown',
  ]);
  assert.deepEqual(reported({ timeline_data: '' }), ['/timeline_data json.syntax', color, fps]);
  assert.deepEqual(reported({ settings: '{', tier_list: '[' }), [
    '/tier_list/0 json.syntax',
    '/settings json.syntax',
    speed,
  ]);
});

test('[C5] unknown names are errors with a suggestion, or with the known names', () => {
  const items = ['lemon', 'plum', 'pear', 'fig', 'kiwi', 'date'].map((id) => ({ id }));
  const request = documents(
    {
      videos: [{ ...VIDEO, file_field: 'clip_12' }],
      tier_tiles: [
        { tier_item_id: 'lemno', position: 0 },
        { tier_item_id: 'banana', position: 0, to_row: 's' },
      ],
    },
    undefined,
    { items, rows: [{ id: 'top' }] },
  );
  const said = errors(request, new Map([['clip_1', facts('clip_1')]])).map(({ message }) => message);
  assert.deepEqual(said, [
    'No file was uploaded under the form field "clip_12", which this entry names. Did you mean "clip_1"?',
    'No item of tier_list.items has the id "lemno". Did you mean "lemon"?',
    'No row of tier_list.rows has the id "s". There is "top".',
    'No item of tier_list.items has the id "banana". There are "lemon", "plum", "pear", "fig", "kiwi" and 1 more.',
  ]);
});

test('[C5] a request with many errors gets few suggestions, because each costs a comparison with all names', () => {
  const long = (n: number) => String(n).padStart(48, 'x');
  const items = Array.from({ length: 500 }, (_, n) => ({ id: long(n) }));
  const tiles = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ tier_item_id: long(n + 500), position: 0 }));
  const hinted = (tier_tiles: object[]) => {
    const reported = errors(documents({ tier_tiles }, undefined, { items }));
    return reported.filter(({ message }) => message.includes('Did you mean')).length;
  };
  assert.equal(hinted(tiles(1)), 1);
  assert.ok(hinted(tiles(2000)) < 10);
});

test('[C5] a hostile request gets a limited number of messages, and the count', () => {
  const issues = errors(documents({ videos: Array.from({ length: 2000 }, () => ({ speed: 0 })) }));
  assert.equal(issues.length, 501);
  assert.match(issues.at(-1)!.message, /And 3500 more/);
});

test('[C6] unknown fields are ignored with a warning, wrong types are errors', () => {
  const warned = warnings(documents({ videos: [{ ...VIDEO, colour: 1 }], lanes: [] }, { __proto__x: 1 }));
  assert.deepEqual(warned, [
    '/settings/__proto__x field.unknown',
    '/timeline_data/lanes field.unknown',
    '/timeline_data/videos/0/colour field.unknown',
  ]);
  const wrong = { videos: [{ ...VIDEO, speed: '1.5', trim_start: null }], audios: {} };
  assert.deepEqual(short(errors(documents(wrong))), [
    '/timeline_data/videos/0/trim_start field.type',
    '/timeline_data/videos/0/speed field.type',
    '/timeline_data/audios field.type',
  ]);
  const [first] = errors(documents({ videos: [{ ...VIDEO, speed: '1.5' }] }));
  assert.equal(first?.message, 'speed must be a number from 0.1 to 10, not "1.5".');
});

test('[C11] presets are found by name and by alias', () => {
  const preset = (name: string) => parse(documents({ videos: [VIDEO] }, { preset: name }), MEDIA).settings;
  assert.deepEqual([preset('portrait').preset, preset('portrait').width], ['preset_two', 1080]);
  assert.equal(preset('preset_three').height, 1080);
  assert.deepEqual(short(errors(documents({ videos: [VIDEO] }, { preset: 'imax' }))), [
    '/settings/preset field.choice',
  ]);
});

test('[C13, H38] odd sizes are rounded down to even with a warning; too many pixels are an error', () => {
  const { settings, warnings: warned } = parse(documents({ videos: [VIDEO] }, { width: 641, height: 360 }), MEDIA);
  assert.deepEqual([settings.width, settings.height], [640, 360]);
  assert.deepEqual(short(warned), ['/settings/width settings.size_rounded']);
  const large = documents({ videos: [VIDEO] }, { width: 3840, height: 3840 });
  assert.deepEqual(short(errors(large)), ['/settings/width settings.too_many_pixels']);
});

test('[C13] one side alone keeps the shape of the preset', () => {
  const canvas = (settings: object) => {
    const { width, height } = parse(documents({ videos: [VIDEO] }, settings), MEDIA).settings;
    return [width, height];
  };
  assert.deepEqual(canvas({ width: 1280 }), [1280, 720]);
  assert.deepEqual(canvas({ height: 360 }), [640, 360]);
  assert.deepEqual(canvas({ preset: 'portrait', width: 540 }), [540, 960]);
  assert.deepEqual(canvas({ width: 64 }), [64, 64]);
});

test('[settings] the bitrate is a number or a text with a k, the file name is sanitized', () => {
  const settings = (other: object) => parse(documents({ videos: [VIDEO] }, other), MEDIA).settings;
  assert.equal(settings({ audio_bitrate: '256k' }).audioBitrateKbps, 256);
  assert.equal(settings({ audio_bitrate: 32 }).audioBitrateKbps, 32);
  for (const audio_bitrate of ['600k', '31k', '192', 513, true]) {
    const [error] = errors(documents({ videos: [VIDEO] }, { audio_bitrate }));
    assert.match(
      error!.message,
      /^audio_bitrate must be a number from 32 to 512 \(kbit\/s\), or a text such as "192k", not/,
    );
  }
  assert.equal(settings({}).fileName, 'Snacks, ranked.mp4');
  assert.equal(settings({ file_name: '../../etc/pass"wd\r\n\u202Egnp.mp4' }).fileName, 'etc pass wd gnp.mp4');
  assert.equal(settings({ file_name: 'con' }).fileName, 'export-con.mp4');
  assert.equal(settings({ file_name: '...' }).fileName, 'export.mp4');
  assert.ok(Buffer.byteLength(settings({ file_name: '👨‍👩‍👧'.repeat(100) }).fileName) <= 255);
});

test('[C14] a missing id is the position, a duplicate is an error only within its lane', () => {
  const request = parse(documents({ videos: [{ file_field: 'a' }], audios: [{ file_field: 'a', id: 'v' }] }), MEDIA);
  assert.equal(request.timeline.videos[0]?.id, 'videos/0');
  const twice = documents({ videos: [VIDEO, { ...VIDEO, start: 5 }], audios: [VIDEO] });
  assert.deepEqual(short(errors(twice)), ['/timeline_data/videos/1/id id.duplicate']);
});

test('[C14] an explicit id that equals a generated one is not an error', () => {
  const clip = { file_field: 'a', duration: 1 };
  for (const videos of [
    [{ ...clip, id: 'videos/1' }, clip],
    [clip, { ...clip, id: 'videos/0' }],
  ]) {
    assert.equal(parse(documents({ videos }), MEDIA).timeline.videos.length, 2);
  }
});

test('[C14] rows and items require only an id', () => {
  const { tierList } = parse(
    documents({ videos: [VIDEO] }, undefined, { rows: [{ id: 'S' }], items: [{ id: 'x' }] }),
    MEDIA,
  );
  assert.deepEqual([tierList.title, tierList.rows[0]?.label, tierList.rows[0]?.color], ['', 'S', null]);
  assert.equal(tierList.items[0]?.name, 'x');
});

test('[C15] start is 0 and up, duration above 0, and the timeline has an end', () => {
  const wrong = {
    tier_blocks: [
      { start: 0, duration: 0 },
      { start: 14000, duration: 500 },
    ],
    subtitles: [{ text: '', start: -0.1, duration: 1 }],
  };
  assert.deepEqual(short(errors(documents(wrong))), [
    '/timeline_data/tier_blocks/0/duration field.range',
    '/timeline_data/subtitles/0/start field.range',
    '/timeline_data/tier_blocks/1/duration timeline.too_long',
  ]);
});

test('[C16] an out-point before the in-point is an error that mentions the other interpretation; 0 means the end', () => {
  const trimmed = (trim_end: number, settings?: object) =>
    documents({ videos: [{ ...VIDEO, trim_start: 4, trim_end }] }, settings);
  const [error] = errors(trimmed(4));
  assert.equal(error?.path, '/timeline_data/videos/0/trim_end');
  assert.match(error!.message, /"trim_end_as": "cut"/);
  assert.deepEqual(errors(trimmed(2, { trim_end_as: 'cut' })), []);
  assert.equal(parse(trimmed(0), MEDIA).timeline.videos[0]?.trimEnd, null);
});

test('[C17] volume is a gain up to 4, or percent up to 400 where the settings say so', () => {
  const volume = (value: number, settings?: object) => documents({ videos: [{ ...VIDEO, volume: value }] }, settings);
  const [error] = errors(volume(80));
  assert.match(error!.message, /volume must be a number from 0 to 4, not 80\. If it means percent, set "volume_unit"/);
  assert.equal(parse(volume(80, { volume_unit: 'percent' }), MEDIA).timeline.videos[0]?.gain, 0.8);
  assert.equal(parse(volume(4), MEDIA).timeline.videos[0]?.gain, 4);
});

test('[C18] the crop unit is guessed from the numbers or given; outside the picture is an error', () => {
  const crop = (crop_x: number, crop_w: number, settings?: object) =>
    documents({ videos: [{ ...VIDEO, crop_x, crop_y: 0, crop_w, crop_h: 1 }] }, settings);
  const unit = (x: number, w: number, settings?: object) =>
    parse(crop(x, w, settings), MEDIA).timeline.videos[0]?.crop?.unit;
  assert.equal(unit(0.5, 0.5), 'fraction');
  assert.equal(unit(0, 100), 'percent');
  assert.equal(unit(0, 101), 'pixel');
  assert.equal(unit(0, 1, { crop_unit: 'pixel' }), 'pixel');
  assert.deepEqual(short(errors(crop(0.6, 0.5))), ['/timeline_data/videos/0/crop_w crop.outside']);
  assert.deepEqual(short(errors(crop(30, 80))), ['/timeline_data/videos/0/crop_w crop.outside']);
  assert.deepEqual(short(errors(crop(0.2, 0))), ['/timeline_data/videos/0/crop_w crop.outside']);
});

test('[C18] sums of floats are read as the decimal they mean, and less than a pixel is left to the planner', () => {
  const unit = (crop_x: number, crop_w: number) =>
    parse(documents({ videos: [{ ...VIDEO, crop_x, crop_w }] }), MEDIA).timeline.videos[0]?.crop?.unit;
  assert.equal(unit(0, 0.1 + 0.7 + 0.2000000000000002), 'fraction');
  assert.equal(unit(0, 33.3 + 66.7 + 1e-13), 'percent');
  assert.equal(unit(0, 100.5), 'pixel');
  assert.equal(unit(0.5, 0.5004), 'fraction');
  assert.equal(unit(50, 50.03), 'percent');
});

test('[C20] tier_block is an alias, as a list or as one object; errors point into it', () => {
  const one = { start: 0, duration: 2 };
  assert.equal(parse(documents({ tier_block: [one] }), MEDIA).timeline.blocks[0]?.path, '/timeline_data/tier_block/0');
  assert.equal(parse(documents({ tier_block: one }), MEDIA).timeline.blocks[0]?.path, '/timeline_data/tier_block');
  assert.deepEqual(short(errors(documents({ tier_block: { start: 0 } }))), [
    '/timeline_data/tier_block field.required',
  ]);
  const both = documents({ tier_block: one, tier_blocks: [{ start: 1, duration: 1 }], videos: [VIDEO] });
  assert.deepEqual(warnings(both), ['/timeline_data/tier_block alias.ignored']);
});

test('[C20] an empty tier_blocks means no blocks: a filled tier_block counts, and an empty one gives no warning', () => {
  const one = { start: 0, duration: 2 };
  for (const tier_block of [one, [one]]) {
    const { timeline, warnings: warned } = parse(documents({ tier_blocks: [], tier_block }), null);
    assert.deepEqual([timeline.blocks.length, warned], [1, []]);
  }
  const empty = parse(documents({ tier_blocks: [one], tier_block: [] }), null);
  assert.deepEqual([empty.timeline.blocks.length, empty.warnings], [1, []]);
});

test('[C22] of several tiles the earliest counts, of several rows the first, each with a warning', () => {
  const request = documents(
    {
      videos: [VIDEO],
      tier_blocks: [{ start: 0, duration: 5 }],
      tier_tiles: [
        { tier_item_id: 'chips', position: 4 },
        { tier_item_id: 'chips', position: 2 },
      ],
    },
    undefined,
    { ...TIER_LIST, rows: [...TIER_LIST.rows, { id: 'b', item_ids: ['nuts', 'soup'] }] },
  );
  const { timeline, tierList, warnings: warned } = parse(request, MEDIA);
  assert.deepEqual(
    timeline.tiles.map(({ item, position }) => [item, position]),
    [[0, 2]],
  );
  assert.deepEqual(
    tierList.rows.map(({ items }) => items),
    [[0, 1], [2], [3]],
  );
  assert.deepEqual(short(warned), [
    '/tier_list/rows/2/item_ids/0 item.placed_twice',
    '/timeline_data/tier_tiles/0 tile.repeated',
  ]);
});

test('[C22] tiles without any block are kept for the chapters, and a warning says that no board is shown', () => {
  const request = documents({ videos: [VIDEO], tier_tiles: [{ tier_item_id: 'chips', position: 4 }] });
  assert.equal(parse(request, MEDIA).timeline.tiles.length, 1);
  assert.deepEqual(warnings(request), ['/timeline_data/tier_tiles board.not_shown']);
});

test('[C23] subtitles have defaults; a colour or an alpha switches the background on', () => {
  const subtitle = (other: object) =>
    parse(documents({ subtitles: [{ text: 'x', start: 0, duration: 1, ...other }] }), MEDIA).timeline.subtitles[0]!;
  const plain = subtitle({});
  // The size is for its style to say.
  assert.deepEqual(
    [plain.size, plain.style, plain.align, plain.textColor, plain.backgroundColor, plain.backgroundAlpha],
    [null, null, 'center', '#ffffff', null, null],
  );
  assert.deepEqual(plain.box, {});
  const plate = (other: object) => {
    const { backgroundColor, backgroundAlpha } = subtitle(other);
    return [backgroundColor, backgroundAlpha];
  };
  assert.deepEqual(plate({ background_alpha: 30 }), ['#000000', 30]);
  assert.deepEqual(plate({ background_color: '#FF0000' }), ['#ff0000', 60]);
  for (const align of ['center', 'centre', 'middle']) assert.equal(subtitle({ align }).align, 'center');
});

test('[C24] an empty timeline is an error; a reveal alone counts as empty', () => {
  assert.deepEqual(short(errors(documents({ videos: [], tier_tiles: [{ tier_item_id: 'nuts', position: 1 }] }))), [
    '/timeline_data timeline.empty',
  ]);
});

test('[C25] an unknown manifest id, or one without a file, is an error at its path', () => {
  const request = (media_manifest: unknown) => ({
    tier_list: TIER_LIST,
    timeline_json: {
      videos: [
        { media_id: 'm1', duration: 1 },
        { id: 'w', media_id: 'm2', duration: 1 },
      ],
    },
    media_manifest,
  });
  assert.deepEqual(
    short(
      errors(
        request([
          { id: 'm1', file_field: 'a' },
          { id: 'm2', file_field: 'b' },
        ]),
      ),
    ),
    ['/media_manifest/1/file_field media.not_uploaded', '/timeline_json/videos/1/media_id media.not_uploaded'],
  );
  assert.deepEqual(short(errors(request({ m1: 'a' }))), ['/timeline_json/videos/1/media_id media.unknown_id']);
  assert.deepEqual(
    short(errors(request({ m1: 'a', m2: { file_field: 'b' } })))[0],
    '/media_manifest/m2/file_field media.not_uploaded',
  );
  assert.deepEqual(short(errors(request({ m1: 'a', m2: 3 })))[0], '/media_manifest/m2 field.type');
});

test('[C25] an unused manifest id is a warning, uploaded or not', () => {
  const { warnings: warned } = parse(
    {
      tier_list: TIER_LIST,
      timeline_json: { videos: [{ media_id: 'm1', duration: 1 }] },
      media_manifest: [
        { id: 'm1', file_field: 'a' },
        { id: 'stray', file_field: 'gone' },
      ],
    },
    MEDIA,
  );
  assert.deepEqual(short(warned), ['/media_manifest/1 media.unused_id']);
});

test('[C25] a legacy request without a tier list has no board; its other entries stay', () => {
  const {
    timeline,
    hasTierList,
    settings,
    warnings: warned,
  } = parse(
    {
      timeline_json: {
        videos: [{ media_id: 'm1', duration: 1 }],
        tier_blocks: [{ start: 0, duration: 3 }],
        tier_tiles: [{ tier_item_id: 'chips', position: 1 }],
      },
      media_manifest: { m1: 'a' },
    },
    MEDIA,
  );
  assert.equal(hasTierList, false);
  assert.deepEqual([timeline.videos.length, timeline.tiles.length, settings.fileName], [1, 0, 'export.mp4']);
  assert.deepEqual(short(warned), [
    '/timeline_json/tier_blocks board.not_shown',
    '/timeline_json/tier_tiles board.not_shown',
  ]);
  const public_ = errors({ timeline_data: { videos: [VIDEO] } });
  assert.deepEqual(short(public_), [' field.required']);
  const wrong = { timeline_json: { videos: [{ media_id: 'm1' }], tier_list: 7 }, media_manifest: { m1: 'a' } };
  assert.deepEqual(short(errors(wrong)), ['/timeline_json/tier_list field.type']);
});

test('[C36] clips take a box, a fit and fades; soundtracks loop', () => {
  const { timeline } = parse(
    documents({
      videos: [{ ...VIDEO, x_percent: 70, width_percent: 25, fit: 'cover', fade_in: 1 }],
      soundtracks: [{ file_field: 'a', loop: true, fade_out: 2 }],
    }),
    MEDIA,
  );
  const [video] = timeline.videos;
  assert.deepEqual([video?.box, video?.fit, video?.fadeIn], [{ x: 70, width: 25 }, 'cover', 1]);
  assert.deepEqual([timeline.soundtracks[0]?.loop, timeline.soundtracks[0]?.fadeOut], [true, 2]);
});

test('[H37] too many entries, items and rows are refused by count', () => {
  const many = (count: number, entry: object) => Array.from({ length: count }, () => entry);
  assert.deepEqual(short(errors(documents({ videos: many(2001, VIDEO) }))), [
    '/timeline_data/videos timeline.too_many_entries',
  ]);
  const lists = { items: many(501, { id: 'x' }), rows: many(51, { id: 'x' }) };
  assert.deepEqual(short(errors(documents({ videos: [VIDEO] }, undefined, lists))), [
    '/tier_list/items timeline.too_many_entries',
    '/tier_list/rows timeline.too_many_entries',
  ]);
});

test('[C42] an entry has a box for each preset, by name or alias; errors are returned with their path', () => {
  const presets = { portrait: { x_percent: 1, fit: 'cover' }, preset_three: { hidden: true } };
  const { videos } = parse(documents({ videos: [{ ...VIDEO, y_percent: 7, presets }] }), MEDIA).timeline;
  assert.deepEqual(videos[0]!.box, { y: 7 });
  assert.deepEqual(videos[0]!.byPreset, {
    preset_two: { box: { x: 1 }, fit: 'cover', hidden: false },
    preset_three: { box: {}, hidden: true },
  });
  const times = { start: 0, duration: 1 };
  const wrong = documents({
    tier_blocks: [{ ...times, presets: { portrait: { width_percent: 0 }, imax: {} } }],
    subtitles: [{ ...times, text: 'x', presets: { portrait: { size: '5' }, preset_two: {} } }],
    videos: [{ ...VIDEO, presets: [] }],
  });
  assert.deepEqual(short(errors(wrong)).sort(), [
    '/timeline_data/subtitles/0/presets/portrait/size field.type',
    '/timeline_data/tier_blocks/0/presets/portrait/width_percent field.range',
    '/timeline_data/videos/0/presets field.type',
  ]);
  const names = documents({
    tier_blocks: [{ ...times, presets: { imax: {} } }],
    subtitles: [{ ...times, text: 'x', presets: { portrait: {}, preset_two: {} } }],
  });
  assert.deepEqual(short(errors(names)).sort(), [
    '/timeline_data/subtitles/0/presets/preset_two id.duplicate',
    '/timeline_data/tier_blocks/0/presets/imax field.choice',
  ]);
  assert.deepEqual(warnings(documents({ videos: [{ ...VIDEO, presets: { portrait: { siez: 4 } } }] })), [
    '/timeline_data/videos/0/presets/portrait/siez field.unknown',
  ]);
});

test('[C46] cards have a shape, a fit and names; an item may have a fit of its own', () => {
  const video = { videos: [VIDEO] };
  assert.deepEqual(parse(documents(video), MEDIA).settings.card, { shape: 'auto', fit: null, names: 'auto' });
  const card = { shape: 'portrait', fit: 'cover', names: 'never' };
  assert.deepEqual(parse(documents(video, { card }), MEDIA).settings.card, card);
  const items = [{ id: 'x', fit: 'contain' }, { id: 'y' }];
  const { tierList } = parse(documents(video, {}, { items }), MEDIA);
  assert.deepEqual(
    tierList.items.map(({ fit }) => fit),
    ['contain', null],
  );
  assert.deepEqual(short(errors(documents(video, { card: { shape: 'round', names: true } }))), [
    '/settings/card/shape field.choice',
    '/settings/card/names field.choice',
  ]);
  assert.deepEqual(warnings(documents(video, { card: { shpae: 'auto' } })), ['/settings/card/shpae field.unknown']);
});

test('[C47, C63] a theme is a name, or an object based on one; its font is an upload, or a shipped family', () => {
  const video = { videos: [VIDEO] };
  const plain = { colors: {}, panelOpacity: null, corner: null, glass: false, font: null };
  const themeOf = (theme?: unknown) =>
    parse(documents(video, theme === undefined ? {} : { theme }), MEDIA).settings.theme;
  assert.deepEqual(themeOf(), { base: 'midnight', ...plain });
  assert.deepEqual(themeOf('neon'), { base: 'neon', ...plain });
  assert.deepEqual(themeOf({ base: 'paper', panel_color: '#ABCDEF', panel_opacity: 50, corner: 0, font_field: 'a' }), {
    base: 'paper',
    colors: { panel: '#abcdef' },
    panelOpacity: 0.5,
    corner: 0,
    glass: false,
    font: { field: 'a', path: '/settings/theme/font_field' },
  });
  assert.deepEqual(
    short(errors(documents(video, { theme: { base: 'rainbow', corner: 200, glass: 1, font_field: 'f' } }))),
    ['/settings/theme/base field.choice', '/settings/theme/corner field.range', '/settings/theme/glass field.type'],
  );
  assert.deepEqual(short(errors(documents(video, { theme: { font_field: 'f' } }))), [
    '/settings/theme/font_field media.not_uploaded',
  ]);
  assert.equal(themeOf({ font: 'Anton' }).font, 'Anton');
  assert.deepEqual(themeOf({ font: 'Anton', font_field: 'a' }).font, {
    field: 'a',
    path: '/settings/theme/font_field',
  });
  const [issue] = errors(documents(video, { theme: 'rainbow' }));
  assert.match(
    issue!.message,
    /^theme must be one of "midnight", .* or an object based on one of them, not "rainbow"\.$/,
  );
  const [unknown] = errors(documents(video, { theme: { font: 'Comic Sans' } }));
  assert.match(unknown!.message, /^font must be one of "Noto Sans", "Inter", .*"Bangers", not "Comic Sans"\.$/);
  assert.deepEqual(warnings(documents(video, { theme: { colour: '#ffffff' } })), [
    '/settings/theme/colour field.unknown',
  ]);
});

test('[C3] a file cannot have the name of a form field of the request, whether files were sent or not', () => {
  const named = documents({ videos: [{ file_field: 'settings', duration: 1 }] });
  assert.deepEqual(short(errors(named)), ['/timeline_data/videos/0/file_field media.reserved_name']);
  assert.throws(() => parse(named, null), { code: 'media.reserved_name' });
});

test('[C23] a background alpha that is given as a fraction gives a warning: it counts from 0 to 100', () => {
  const text = { text: 'x', start: 0, duration: 1 };
  const faint = { subtitles: [{ ...text, background_alpha: 0.6 }], titles: [{ ...text, background_alpha: 0.25 }] };
  assert.deepEqual(warnings(documents({ videos: [VIDEO], ...faint })), [
    '/timeline_data/titles/0/background_alpha field.maybe_percent',
    '/timeline_data/subtitles/0/background_alpha field.maybe_percent',
  ]);
  assert.deepEqual(warnings(documents({ videos: [VIDEO], subtitles: [{ ...text, background_alpha: 0 }] })), []);
});
