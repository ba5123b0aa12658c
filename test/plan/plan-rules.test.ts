import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExportError } from '../../src/errors.ts';
import type { MediaFacts } from '../../src/plan/model/media-facts.ts';
import { boardStateAt } from '../../src/plan/reveal/board-state.ts';
import { MIDNIGHT } from '../../src/plan/theme/midnight.ts';
import type { Frames } from '../../src/time.ts';
import { DEFAULT_PRESETS } from '../../src/timeline/presets.ts';
import { facts, picture, plan, sound, TIER_LIST } from '../request-builder.ts';

function made(timeline_data: object, media: Record<string, MediaFacts>, settings: object = {}, preset?: string) {
  return plan({ tier_list: TIER_LIST, timeline_data, settings }, media, preset);
}

function refused(timeline_data: object, media: Record<string, MediaFacts>, settings: object = {}): string[] {
  try {
    made(timeline_data, media, settings);
  } catch (error) {
    assert.ok(error instanceof ExportError);
    return error.issues.map(({ path, code }) => `${path} ${code}`);
  }
  return [];
}

test('[C12] the sound of the three presets is identical, the boards are laid out for each', () => {
  const timeline = {
    videos: [{ file_field: 'a', duration: 3.3 }],
    tier_blocks: [{ start: 0, duration: 3 }],
    soundtracks: [{ file_field: 'm', duration: 2.01 }],
  };
  const media = { a: facts('a'), m: sound('m') };
  const plans = DEFAULT_PRESETS.map(({ name }) =>
    made(timeline, media, { fps: 29.97, width: 1280, height: 720 }, name),
  );
  assert.equal(new Set(plans.map(({ audio }) => JSON.stringify(audio))).size, 1);
  assert.equal(new Set(plans.map(({ painted }) => JSON.stringify(painted.board[0]!.rect))).size, 3);
  assert.deepEqual(
    plans.map(({ canvas }) => [canvas.width, canvas.height]),
    [
      [1280, 720],
      [1080, 1920],
      [1080, 1080],
    ],
  );
});

test('[C15] a clip without duration plays its trimmed part, at its speed; a still needs a duration', () => {
  const { totalFrames } = made(
    { videos: [{ file_field: 'a', start: 1, trim_start: 2, trim_end: 8, speed: 2 }] },
    { a: facts('a') },
  );
  assert.equal(totalFrames, 30 + 90);
  assert.deepEqual(refused({ videos: [{ file_field: 'p' }] }, { p: picture('p') }), [
    '/timeline_data/videos/0 field.required',
  ]);
});

test('[C16] a trim outside the source is an error; one beyond its end reaches to the end', () => {
  const trimmed = (entry: object, settings?: object) =>
    refused({ videos: [{ file_field: 'a', ...entry }] }, { a: facts('a') }, settings);
  assert.deepEqual(trimmed({ trim_start: 60 }), ['/timeline_data/videos/0/trim_start trim.beyond_source']);
  assert.deepEqual(trimmed({ trim_start: 20, trim_end: 40 }, { trim_end_as: 'cut' }), [
    '/timeline_data/videos/0/trim_end trim.empty',
  ]);
  const { clips } = made({ videos: [{ file_field: 'a', trim_end: 99, duration: 1 }] }, { a: facts('a') });
  assert.deepEqual(clips[0]?.trim, { start: 0, end: 60_000_000 });
});

test('[C18] a crop outside the picture is an error at the field that leaves it', () => {
  const cropped = (entry: object) =>
    refused({ videos: [{ file_field: 'a', duration: 1, ...entry }] }, { a: facts('a') });
  assert.deepEqual(cropped({ crop_x: 1800, crop_w: 200 }), ['/timeline_data/videos/0/crop_w crop.outside']);
  assert.deepEqual(cropped({ crop_y: 1080 }), ['/timeline_data/videos/0/crop_y crop.outside']);
  assert.deepEqual(cropped({ crop_x: 0, crop_y: 0, crop_w: 1920, crop_h: 1080 }), []);
});

test('[C18] a crop that exceeds the picture by less than a pixel is fitted, by a pixel it is an error', () => {
  const crop = (entry: object) =>
    made({ videos: [{ file_field: 'a', duration: 1, ...entry }] }, { a: facts('a') }).clips[0]?.crop;
  const right = { x: 960, y: 0, width: 960, height: 1080 };
  assert.deepEqual(crop({ crop_x: 0.5, crop_w: 0.5005 }), right);
  assert.deepEqual(crop({ crop_x: 50, crop_w: 50.05 }), right);
  assert.deepEqual(crop({ crop_x: 960, crop_w: 960.9 }), right);
  assert.deepEqual(crop({ crop_x: 1919.7, crop_w: 0.5, crop_y: 0, crop_h: 1080 }), { ...right, x: 1919, width: 1 });
  const refusal = (entry: object) =>
    refused({ videos: [{ file_field: 'a', duration: 1, ...entry }] }, { a: facts('a') });
  for (const outside of [
    { crop_x: 0.5, crop_w: 0.5006 },
    { crop_x: 960, crop_w: 961 },
  ]) {
    assert.deepEqual(refusal(outside), ['/timeline_data/videos/0/crop_w crop.outside']);
  }
  assert.deepEqual(refusal({ crop_x: 1920, crop_w: 0.5 }), ['/timeline_data/videos/0/crop_x crop.outside']);
});

test('[C19] a clip needs a picture; a sound lane is silent without sound, with a warning', () => {
  assert.deepEqual(refused({ videos: [{ file_field: 'm', duration: 1 }] }, { m: sound('m') }), [
    '/timeline_data/videos/0/file_field media.no_picture',
  ]);
  const mute = facts('a', { sound: false });
  const { audio, warnings } = made(
    { audios: [{ file_field: 'a', duration: 1 }], videos: [{ file_field: 'a', duration: 1 }] },
    { a: mute },
  );
  assert.deepEqual(audio.clips, []);
  assert.deepEqual(
    warnings.map(({ path, code }) => `${path} ${code}`),
    ['/timeline_data/audios/0/file_field media.no_sound'],
  );
});

test('[C22] an item is hidden until its reveal and visible from then on', () => {
  const timeline = { tier_blocks: [{ start: 0, duration: 4 }], tier_tiles: [{ tier_item_id: 'nuts', position: 1 }] };
  const { board } = made(timeline, {});
  const at = (frame: number) => boardStateAt(board!, frame as Frames, MIDNIGHT.motion);
  assert.deepEqual([...at(29).shown], [0, 2, 3]);
  assert.deepEqual(at(29).inFlight, []);
  assert.deepEqual(
    [30, 40].map((frame) => at(frame).inFlight.map(({ event, clock }) => [event.item, event.style, clock.start])),
    [[[1, 'pop', 0]], [[1, 'pop', 1 / 3]]],
  );
  assert.deepEqual([...at(50).shown], [0, 1, 2, 3]);
  assert.deepEqual(at(50).inFlight, []);
});

test('[C24] the video lasts until the latest end, of sounds too', () => {
  const { totalFrames, audio } = made(
    { tier_blocks: [{ start: 0, duration: 1 }], soundtracks: [{ file_field: 'm', start: 1, duration: 2.02 }] },
    { m: sound('m') },
  );
  assert.equal(totalFrames, 91);
  assert.deepEqual(audio.clips[0]?.slot, { start: 48_000, end: 144_960 });
});

test('[C24] music without a duration ends, faded, with the last thing that is seen; with one it lasts, with a warning', () => {
  const board = { tier_blocks: [{ start: 0, duration: 10 }] };
  const music = (more: object, lane = 'soundtracks') => {
    const { totalFrames, audio, warnings } = made(
      { ...board, [lane]: [{ file_field: 'm', ...more }] },
      { m: sound('m') },
    );
    return [totalFrames / 30, audio.clips[0]?.fadeOut, warnings.map(({ code }) => code)];
  };
  assert.deepEqual(music({}), [10, 72_000, []]);
  assert.deepEqual(music({ role: 'music', loop: true }), [10, 72_000, []]);
  assert.deepEqual(music({ role: 'music', fade_out: 3 }), [10, 144_000, []]);
  assert.deepEqual(music({ duration: 25 }), [25, 0, ['sound.after_picture']]);
  assert.deepEqual(music({ role: 'voice' }), [180, 0, []]);
  assert.deepEqual(music({ start: 12 }), [192, 0, ['sound.after_picture']]);
  assert.deepEqual(music({}, 'audios'), [180, 0, []]);
  const alone = made({ soundtracks: [{ file_field: 'm' }] }, { m: sound('m') });
  assert.equal(alone.totalFrames, 180 * 30);
});

test('[R41] reveals that auto adds are heard, others only on request', () => {
  const auto = { auto: {} };
  const tiles = { tier_blocks: [{ start: 0, duration: 10 }], tier_tiles: [{ tier_item_id: 'nuts', position: 1 }] };
  const heard = (timeline: object, settings: object = {}) => {
    const { audio } = plan({ tier_list: TIER_LIST, timeline_data: timeline, settings }, {});
    return [...new Set(audio.clips.map(({ source }) => source))];
  };
  assert.deepEqual(heard(auto), ['stamp', 'whoosh', 'thud']);
  assert.deepEqual(heard(auto, { reveal_sound: 'none' }), []);
  assert.deepEqual(heard(auto, { reveal_sound: 'ding' }), ['ding', 'stamp']);
  assert.deepEqual(heard(tiles), []);
  assert.deepEqual(heard(tiles, { reveal_sound: 'theme' }), ['thud']);
  assert.equal(
    plan({ tier_list: TIER_LIST, timeline_data: auto, settings: { loudness: -14 } }, {}).audio.loudness,
    null,
  );
});

test('[R6] layers are ordered back to front: clips below, blocks, clips above, subtitles, each in array order', () => {
  const box = { x_percent: 0, width_percent: 50 };
  const { spans } = made(
    {
      subtitles: [{ text: 'x', start: 0, duration: 1 }],
      tier_blocks: [
        { start: 0, duration: 1 },
        { start: 0, duration: 1 },
      ],
      videos: [
        { file_field: 'a', duration: 1, ...box },
        { file_field: 'b', duration: 1, ...box, x_percent: 25 },
        { file_field: 'c', duration: 1, ...box, layer: 'below_board' },
      ],
    },
    { a: facts('a'), b: facts('b'), c: facts('c') },
  );
  assert.deepEqual(
    spans[0]?.layers.map((ref) => ref.kind),
    ['clip', 'board', 'board', 'clip', 'clip', 'subtitle'],
  );
  assert.deepEqual(
    spans[0]?.layers.map((ref) => Object.values(ref)[1]),
    [2, 0, 1, 0, 1, 0],
  );
});

test('[R8] an entry that is hidden all the time is not in the plan; one that shows through is', () => {
  const seen = (cover: MediaFacts, entry: object = {}) => {
    const videos = [
      { id: 'under', file_field: 'a', duration: 2 },
      { id: 'over', file_field: 'b', duration: 2, ...entry },
    ];
    return made({ videos }, { a: facts('a'), b: cover }).clips.map(({ id }) => id);
  };
  assert.deepEqual(seen(facts('b')), ['over']);
  assert.deepEqual(seen(facts('b', { width: 500, height: 900 })), ['over'], 'bars hide as well');
  assert.deepEqual(seen(facts('b', { alpha: true })), ['under', 'over']);
  assert.deepEqual(seen(facts('b'), { fade_in: 0.5 }), ['under', 'over']);
  assert.deepEqual(seen(facts('b'), { width_percent: 90 }), ['under', 'over']);
});

test('[R12] an item whose file is not an image becomes a name card, with a warning', () => {
  const tier_list = {
    items: [
      { id: 'x', name: 'X', file_field: 'a' },
      { id: 'y', file_field: 'p' },
    ],
  };
  const { board, warnings } = plan(
    { tier_list, timeline_data: { tier_blocks: [{ start: 0, duration: 1 }] } },
    { a: facts('a'), p: picture('p') },
  );
  assert.deepEqual(
    board?.items.map(({ image }) => image),
    [null, 0],
  );
  assert.deepEqual(
    warnings.map(({ path, code }) => `${path} ${code}`),
    ['/tier_list/items/0/file_field item.no_image'],
  );
});

test('[H37] a clip that makes the timeline too long is an error, known only from the media', () => {
  const media = { a: facts('a', { duration: 10_000 }) };
  assert.deepEqual(refused({ videos: [{ file_field: 'a', speed: 0.5 }] }, media), [
    '/timeline_data/videos/0 timeline.too_long',
  ]);
});

test('[H37] too many layers at once are refused', () => {
  const subtitles = Array.from({ length: 101 }, (_, i) => ({ text: 'x', start: i / 100, duration: 5 }));
  assert.deepEqual(refused({ subtitles }, {}), ['/timeline_data/subtitles/100 timeline.too_many_layers']);
});

test('[C22] reveals make chapters even without a block', () => {
  const { board, chapters } = made(
    {
      videos: [{ file_field: 'a', duration: 5 }],
      tier_tiles: [
        { tier_item_id: 'nuts', position: 4 },
        { tier_item_id: 'chips', position: 2 },
        { tier_item_id: 'fruit', position: 9 },
      ],
    },
    { a: facts('a') },
  );
  assert.equal(board, null);
  assert.deepEqual(
    chapters.map(({ start, end, title }) => [start, end, title]),
    [
      [0, 60, 'Snacks, ranked'],
      [60, 120, 'Chips'],
      [120, 150, 'Nuts'],
    ],
  );
});

test('[C25] without a tier list blocks have a duration, but show nothing', () => {
  const { board, painted, totalFrames } = plan(
    { timeline_json: { videos: [{ file_field: 'a', duration: 1 }], tier_blocks: [{ start: 0, duration: 3 }] } },
    { a: facts('a') },
  );
  assert.deepEqual([board, painted.board, totalFrames], [null, [], 90]);
});

test('[R8] a box of the whole canvas is like no box: bars included, nothing under it is decoded', () => {
  const media = { a: facts('a'), b: facts('b', { width: 1080, height: 1920 }) };
  const layers = (box: object) => {
    const videos = [
      { id: 'under', file_field: 'a', duration: 2 },
      { id: 'over', file_field: 'b', duration: 2, ...box },
    ];
    const { clips, spans, chunks } = made({ videos }, media);
    return { clips, spans, keys: chunks.map(({ key }) => key) };
  };
  const boxed = layers({ x_percent: 0, y_percent: 0, width_percent: 100, height_percent: 100 });
  assert.deepEqual(boxed, layers({}));
  assert.deepEqual(
    boxed.clips.map(({ id }) => id),
    ['over'],
  );
  const narrower = layers({ x_percent: 0, y_percent: 0, width_percent: 100, height_percent: 99 });
  assert.equal(narrower.clips.length, 2, 'a smaller box is a picture in a picture');
});

test('[C23] a subtitle outside the canvas is left out, with a warning', () => {
  const subtitles = [
    { id: 'seen', text: 'seen', start: 0, duration: 2 },
    { id: 'beside', text: 'beside', start: 0, duration: 2, x_percent: 100 },
    { id: 'above', text: 'above', start: 0, duration: 2, y_percent: -40, height_percent: 20 },
    { id: 'hanging', text: 'hanging', start: 0, duration: 2, x_percent: -30 },
  ];
  const { painted, warnings, totalFrames } = made({ subtitles }, {});
  assert.deepEqual(
    painted.subtitle.map(({ id }) => id),
    ['seen', 'hanging'],
  );
  assert.deepEqual(
    warnings.map(({ path, code }) => `${path} ${code}`),
    ['/timeline_data/subtitles/1 subtitle.off_canvas', '/timeline_data/subtitles/2 subtitle.off_canvas'],
  );
  assert.equal(totalFrames, 60, 'its time still counts');
});

test('[R13] reveals that round to one frame start and end together, at any frame rate', () => {
  for (const fps of [24, 23.976, 25, 29.97, 30, 50, 59.94, 60]) {
    for (const reveal of ['pop', 'spotlight', 'none']) {
      const tier_tiles = [
        { tier_item_id: 'chips', position: 1 - 0.4 / fps },
        { tier_item_id: 'nuts', position: 1 },
        { tier_item_id: 'fruit', position: 1 + 0.4 / fps },
      ];
      const { board } = made({ tier_blocks: [{ start: 0, duration: 4 }], tier_tiles }, {}, { fps, reveal });
      const reveals = board!.events.map(({ at, end }) => [at, end]);
      assert.deepEqual(reveals, [reveals[0], reveals[0], reveals[0]], `${reveal} at ${fps}`);
    }
  }
});

test('[R17] a quality sets an encoder preset, a CRF and a sound bitrate, which a given bitrate overrides', () => {
  const encoded = (settings: object) => {
    const { encoder, audio } = made({ tier_blocks: [{ start: 0, duration: 3 }] }, {}, settings);
    return [encoder.preset, encoder.crf, audio.bitrateKbps];
  };
  assert.deepEqual(encoded({ quality: 'draft' }), ['ultrafast', 28, 192]);
  assert.deepEqual(encoded({ quality: 'high' }), ['medium', 18, 192]);
  assert.deepEqual(encoded({ quality: 'upload' }), ['medium', 17, 384]);
  assert.deepEqual(encoded({ quality: 'upload', audio_bitrate: '256k' }), ['medium', 17, 256]);
});

test('[C54] a clip whose box covers at most half of the canvas is above the board, in each preset by its own box', () => {
  const block = { start: 0, duration: 2, x_percent: 0, y_percent: 40, width_percent: 100, height_percent: 60 };
  const above = (video: object, preset?: string) => {
    const { clips, spans } = made(
      { videos: [{ file_field: 'a', duration: 2, ...video }], tier_blocks: [block] },
      { a: facts('a') },
      {},
      preset,
    );
    const order = spans[0]!.layers.map(({ kind }) => kind);
    assert.deepEqual(order, clips[0]!.isAboveBoard ? ['board', 'clip'] : ['clip', 'board']);
    return clips[0]!.isAboveBoard;
  };
  const box = (width_percent: number, height_percent: number) => ({ width_percent, height_percent });
  assert.equal(above({}), false, 'the whole canvas');
  assert.equal(above(box(50, 100)), true, 'half of it');
  assert.equal(above(box(52, 100)), false);
  assert.equal(above({ ...box(30, 30), layer: 'below_board' }), false);
  assert.equal(above({ layer: 'above_board', ...box(90, 90) }), true);
  const other = { ...box(30, 30), presets: { portrait: box(100, 90) } };
  assert.deepEqual([above(other), above(other, 'preset_two')], [true, false]);
  const lifted = { ...box(100, 90), presets: { portrait: { layer: 'above_board' } } };
  assert.deepEqual([above(lifted), above(lifted, 'preset_two')], [false, true]);
});

test('[C54] a clip and a board that hide more than 30 % of each other give a warning, whole-canvas clips never', () => {
  const warned = (video: object, block: object) => {
    const { warnings } = made(
      { videos: [{ file_field: 'a', duration: 2, ...video }], tier_blocks: [{ start: 0, duration: 2, ...block }] },
      { a: facts('a') },
    );
    return warnings.filter(({ code }) => code.startsWith('clip.')).map(({ path, code }) => `${path} ${code}`);
  };
  const half = { x_percent: 0, y_percent: 0, width_percent: 50, height_percent: 100, fit: 'cover' };
  const corner = { x_percent: 0, y_percent: 0, width_percent: 25, height_percent: 25 };
  const whole = { x_percent: 0, y_percent: 0, width_percent: 100, height_percent: 100 };
  assert.deepEqual(warned(corner, whole), []);
  assert.deepEqual(warned(half, whole), ['/timeline_data/videos/0 clip.covers_board']);
  assert.deepEqual(warned({ ...corner, layer: 'below_board' }, { ...half, fit: undefined }), [
    '/timeline_data/videos/0 clip.behind_board',
  ]);
  assert.deepEqual(warned({}, whole), []);
  assert.deepEqual(warned({ layer: 'above_board' }, whole), []);
  assert.deepEqual(warned({ ...whole, crop_w: 30, crop_h: 90 }, whole), [], 'a box of the whole canvas');
  assert.deepEqual(warned({ ...half, start: 5 }, whole), [], 'not at the same time');
});

test('[C57] voice and music have their own buses if something is ducked, and otherwise none', () => {
  const media = { v: facts('v'), a: facts('a'), m: sound('m'), w: sound('w'), s: sound('s') };
  const timeline = {
    videos: [{ file_field: 'v', duration: 4 }],
    audios: [{ file_field: 'a', duration: 4, volume: 0 }],
    soundtracks: [
      { file_field: 'm', duration: 4, role: 'music' },
      { file_field: 'w', duration: 4, role: 'voice' },
      { file_field: 's', duration: 4 },
    ],
  };
  const buses = (settings: object, changes: object = {}) => {
    const { audio } = made({ ...timeline, ...changes }, media, settings);
    return [audio.duckDb, ...audio.clips.map(({ bus }) => bus)];
  };
  assert.deepEqual(buses({}), [12, 'voice', 'music', 'voice', 'plain']);
  assert.deepEqual(buses({ duck_db: 20 })[0], 20);
  assert.deepEqual(buses({ duck_db: 0 }), [0, 'plain', 'plain', 'plain', 'plain']);
  const silent = { videos: [{ file_field: 'v', duration: 4, volume: 0 }] };
  assert.deepEqual(buses({}, { ...silent, soundtracks: timeline.soundtracks.slice(0, 1) }), [0, 'plain']);
  const tile = { tier_tiles: [{ tier_item_id: 'nuts', position: 1, sound_field: 'pop' }] };
  const block = { tier_blocks: [{ start: 0, duration: 4 }] };
  assert.deepEqual(buses({ duck_db: 0 }, { ...tile, ...block }), [0, 'voice', 'plain', 'voice', 'plain', 'tile']);
});

test('[C57] music that the end of the video cuts off fades, by default over 1.5 s', () => {
  const fadeOut = (entry: object, settings: object = {}, seconds = 180) => {
    const timeline = {
      videos: [{ file_field: 'v', duration: 6 }],
      soundtracks: [{ file_field: 'm', role: 'music', ...entry }],
    };
    const { audio } = made(timeline, { v: facts('v', { sound: false }), m: sound('m', seconds) }, settings);
    return audio.clips.find(({ lane }) => lane === 'soundtracks')!.fadeOut / 48_000;
  };
  assert.equal(fadeOut({ duration: 6 }), 1.5);
  assert.equal(fadeOut({ duration: 6, loop: true }, {}, 4), 1.5);
  assert.equal(fadeOut({ duration: 6 }, { music_fade: 3 }), 3);
  assert.equal(fadeOut({ duration: 6 }, { music_fade: 0 }), 0);
  assert.equal(fadeOut({ duration: 6, fade_out: 0.25 }), 0.25, 'what the entry asks for comes first');
  assert.equal(fadeOut({ duration: 1 }, { music_fade: 3 }), 0, 'it ends before the video does');
  assert.equal(fadeOut({ start: 5.5, duration: 0.5 }), 0.5, 'no longer than its slot');
  assert.equal(fadeOut({ duration: 6, role: undefined }), 0, 'it is not music');
  assert.equal(fadeOut({}, {}, 6), 0, 'its file ends with it');
});

test('[C80] volume points must rise in time, and their volumes have the unit of volumes', () => {
  const points = (volume_points: object[], settings: object = {}) =>
    made({ soundtracks: [{ file_field: 'm', duration: 4, volume_points }] }, { m: sound('m') }, settings).audio
      .clips[0]!.volumePoints;
  const sent = [
    { at: 0.5, volume: 50 },
    { at: 2, volume: 400 },
  ];
  assert.deepEqual(points(sent, { volume_unit: 'percent' }), [
    { at: 24_000, gain: 0.5 },
    { at: 96_000, gain: 4 },
  ]);
  const wrong = [
    { at: 1, volume: 1 },
    { at: 1, volume: 5 },
  ];
  const path = '/timeline_data/soundtracks/0/volume_points';
  assert.deepEqual(
    refused({ soundtracks: [{ file_field: 'm', duration: 4, volume_points: wrong }] }, { m: sound('m') }),
    [`${path}/1/at volume_points.order`, `${path}/1/volume field.range`],
  );
});
