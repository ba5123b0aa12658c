import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ExportError } from '../../src/errors.ts';
import { formatPlan } from '../../src/plan/format-plan.ts';
import { paintedLayer } from '../../src/plan/frame/painted-kinds.ts';
import type { Chunk, RenderPlan } from '../../src/plan/model/render-plan.ts';
import { type Frames, frameAt, frameRate, secondsOf } from '../../src/time.ts';
import { facts, picture, plan, sound, TIER_LIST } from '../request-builder.ts';

const MEDIA = {
  a: facts('a'),
  b: facts('b', { width: 720, height: 1280, duration: 9.5 }),
  c: facts('c', { alpha: true, sound: false }),
  p: picture('p'),
  m: sound('m'),
};
const second = fc.double({ min: 0, max: 120, noNaN: true });
const length = fc.double({ min: 0.001, max: 40, noNaN: true });
const fps = fc.constantFrom(10, 23.976, 25, 29.97, 30, 59.94);
const percent = fc.option(fc.integer({ min: -20, max: 120 }), { nil: undefined });
const size = fc.option(fc.integer({ min: 5, max: 150 }), { nil: undefined });
const box = { x_percent: percent, y_percent: percent, width_percent: size, height_percent: size };
const fade = fc.option(fc.double({ min: 0, max: 3, noNaN: true }), { nil: undefined });

const timelines = fc.record({
  videos: fc.array(
    fc.record({
      file_field: fc.constantFrom('a', 'b', 'c', 'p'),
      start: second,
      duration: length,
      speed: fc.constantFrom(0.1, 0.5, 1, 1.25, 10),
      trim_start: fc.constantFrom(0, 1, 9.25),
      fade_in: fade,
      fade_out: fade,
      fit: fc.constantFrom('contain', 'cover', 'blur'),
      ...box,
    }),
    { maxLength: 12 },
  ),
  soundtracks: fc.array(
    fc.record({ file_field: fc.constant('m'), start: second, duration: length, loop: fc.boolean() }),
    { maxLength: 4 },
  ),
  tier_blocks: fc.array(fc.record({ start: second, duration: length, ...box }), { maxLength: 4 }),
  tier_tiles: fc.array(
    fc.record({ tier_item_id: fc.constantFrom('chips', 'nuts', 'fruit', 'soup'), position: second }),
    { maxLength: 6 },
  ),
  subtitles: fc.array(fc.record({ text: fc.constantFrom('x', 'y'), start: second, duration: length }), {
    minLength: 1,
    maxLength: 6,
  }),
});

/** JSON has no `undefined`. */
function sent(value: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value));
}

function planned(timeline_data: object, settings: object = {}): RenderPlan {
  return plan({ tier_list: TIER_LIST, timeline_data: sent(timeline_data), settings }, MEDIA);
}

/** Covers `0 … total`, in order, without gap or overlap. */
function assertCovers(ranges: readonly { start: Frames; end: Frames }[], total: Frames): void {
  let at = 0;
  for (const { start, end } of ranges) {
    assert.equal(start, at);
    assert.ok(end > start);
    at = end;
  }
  assert.equal(at, total);
}

/**
 * An aspect ratio, a level, how long a motion takes, which is the same in seconds at every rate (R19), and the height of
 * capitals of each role, in ems. All else is counted.
 */
const NOT_COUNTED = new Set(['corner', 'loudness', 'lasts', 'display', 'strong', 'text']);

test('[R1] a plan has whole frames, samples and microseconds, and rates as exact fractions', () => {
  const broken = new Set<string>();
  const walk = (value: unknown, key: string): void => {
    if (typeof value === 'number' && !Number.isSafeInteger(value)) broken.add(key);
    if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) walk(inner, Array.isArray(value) ? key : name);
    }
  };
  fc.assert(
    fc.property(timelines, fps, (timeline, rate) => {
      walk(planned(timeline, { fps: rate, reveal: 'spotlight', loudness: -14.5 }), '');
    }),
    { numRuns: 40 },
  );
  assert.deepEqual(
    [...broken].filter((name) => !NOT_COUNTED.has(name)),
    [],
  );
});

test('[R9] every frame belongs to exactly one span and one chunk, and to the layers that show there', () => {
  fc.assert(
    fc.property(timelines, fps, (timeline, rate) => {
      const made = planned(timeline, { fps: rate });
      assertCovers(made.spans, made.totalFrames);
      assertCovers(made.chunks, made.totalFrames);
      for (const { start, end, layers } of made.spans) {
        for (const ref of layers) {
          const { shows } = ref.kind === 'clip' ? made.clips[ref.index]! : paintedLayer(made, ref);
          assert.ok(shows.start <= start && shows.end >= end);
        }
      }
    }),
  );
});

test('[chunks] chunks are about 4 s each, and never under 2 s unless the video is', () => {
  fc.assert(
    fc.property(timelines, fps, (timeline, rate) => {
      const { chunks, totalFrames } = planned(timeline, { fps: rate });
      const exact = frameRate(rate);
      for (const { start, end } of chunks) {
        const seconds = secondsOf((end - start) as Frames, exact);
        assert.ok(seconds < 8, `${seconds} s`);
        if (chunks.length > 1) assert.ok(end - start >= frameAt(2, exact), `${seconds} s of ${totalFrames} frames`);
      }
    }),
  );
});

test('[chunks] a chunk ends where a clip does rather than where the board does, if both are near', () => {
  const videos = [
    { file_field: 'a', start: 0, duration: 4.5 },
    { file_field: 'b', start: 4.5, duration: 5.5 },
  ];
  const board = { start: 0, duration: 4.1 };
  const ends = (timeline: object) => planned(timeline).chunks.map(({ end }) => end);
  assert.equal(ends({ videos, tier_blocks: [board] })[0], 135);
  assert.equal(ends({ videos: [{ ...videos[0], duration: 10 }], tier_blocks: [board] })[0], 123);
});

test('equal input gives equal text; the order of fields does not matter', () => {
  fc.assert(
    fc.property(timelines, (timeline) => {
      const turned = Object.fromEntries(Object.entries(timeline).reverse());
      assert.equal(formatPlan(planned(turned)), formatPlan(planned(timeline)));
    }),
    { numRuns: 30 },
  );
});

/** Whether `after` has each chunk of `before`, `shift` frames later, under the same key. */
function assertKept(before: readonly Chunk[], after: readonly Chunk[], shift: number): void {
  const keys = new Map(after.map(({ start, key }) => [start, key]));
  for (const { start, key } of before) assert.equal(keys.get((start + shift) as Frames), key, `chunk at ${start}`);
}

/** The same timeline, `seconds` later, after an added clip. */
function later(timeline: Record<string, unknown>, seconds: number): Record<string, unknown> {
  const moved = Object.fromEntries(
    Object.entries(timeline).map(([name, lane]) => [
      name,
      (lane as Record<string, number>[]).map((entry) => ({
        ...entry,
        ...('start' in entry && { start: entry.start! + seconds }),
        ...('position' in entry && { position: entry.position! + seconds }),
      })),
    ]),
  );
  const opener = { id: 'opener', file_field: 'a', start: 0, duration: seconds, trim_start: 20 };
  return { ...moved, videos: [opener, ...((moved.videos as object[] | undefined) ?? [])] };
}

test('[chunks] moving a passage to a later time keeps its keys', () => {
  // Positions on a grid of frames, since a shift by a fraction of a frame may round them apart.
  const at = fc.integer({ min: 0, max: 300 }).map((frame) => frame / 10);
  const lasting = fc.integer({ min: 1, max: 200 }).map((frame) => frame / 10);
  const passages = fc.record({
    videos: fc.array(
      fc.record({
        file_field: fc.constantFrom('a', 'b'),
        start: at,
        duration: lasting,
        speed: fc.constantFrom(0.7, 1, 3),
      }),
      { maxLength: 6 },
    ),
    tier_blocks: // At the start and end of a video a board does not fade, unless it sets an enter or exit.
      fc.constant([{ id: 'w', start: 0, duration: 40, enter: 'fade', exit: 'fade' }]),
    tier_tiles: fc.array(fc.record({ tier_item_id: fc.constantFrom('chips', 'nuts', 'soup'), position: at }), {
      maxLength: 3,
    }),
    subtitles: fc.array(fc.record({ text: fc.constantFrom('x', 'y'), start: at, duration: lasting }), { maxLength: 3 }),
  });
  fc.assert(
    fc.property(passages, fc.constantFrom(10, 30), (passage, rate) => {
      const before = planned(passage, { fps: rate });
      const after = planned(later(sent(passage), 10), { fps: rate });
      assertKept(before.chunks, after.chunks, 10 * rate);
    }),
  );
});

test('[chunks] renaming ids and upload fields keeps every key', () => {
  fc.assert(
    fc.property(timelines, (timeline) => {
      const renamed = sent(timeline) as { videos: { file_field: string; id?: string }[] };
      for (const [i, video] of renamed.videos.entries()) {
        video.id = `renamed-${i}`;
        video.file_field = `${video.file_field}2`;
      }
      const media = Object.fromEntries(
        Object.entries(MEDIA).flatMap(([name, is]) => [
          [name, is],
          [`${name}2`, is],
        ]),
      );
      const again = plan({ tier_list: TIER_LIST, timeline_data: renamed }, media);
      assert.deepEqual(again.chunks, planned(timeline).chunks);
    }),
  );
});

test('[chunks] an edit changes only the keys of the chunks in which it is seen', () => {
  const subtitles = Array.from({ length: 60 }, (_, i) => ({
    id: `s${i}`,
    text: `line ${i}`,
    start: i * 10 + 1,
    duration: 4,
  }));
  const videos = [{ file_field: 'long', start: 0, duration: 600 }];
  const media = { long: facts('long', { duration: 700 }) };
  const keys = (lines: typeof subtitles, clips: object[] = videos) =>
    plan({ tier_list: TIER_LIST, timeline_data: { videos: clips, subtitles: lines } }, media).chunks;
  const before = keys(subtitles);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 59 }), (edited) => {
      const after = keys(subtitles.map((line, i) => (i === edited ? { ...line, text: 'changed' } : line)));
      const shown = { start: (edited * 10 + 1) * 30, end: (edited * 10 + 5) * 30 };
      for (const [i, { start, end, key }] of after.entries()) {
        const touched = start < shown.end && shown.start < end;
        assert.equal(key !== before[i]!.key, touched, `chunk ${i}`);
      }
    }),
  );
  fc.assert(
    fc.property(fc.double({ min: 0, max: 590, noNaN: true }), (start) => {
      const added = { id: 'added', text: 'One more', start, duration: 2 };
      const shown = { start: Math.floor(start * 30), end: Math.ceil((start + 2) * 30) + 1 };
      for (const [i, { start, end, key }] of keys([...subtitles, added]).entries()) {
        if (key !== before[i]!.key) assert.ok(start < shown.end && shown.start < end, `chunk ${i}`);
      }
    }),
  );
  const longer = keys(subtitles, [{ file_field: 'long', start: 0, duration: 650, trim_end: 660 }]);
  assertKept(before.slice(0, -2), longer, 0);
});

test('[chunks] changing the picture of a hidden item keeps the keys of chunks before its reveal', () => {
  const timeline_data = {
    tier_blocks: [{ start: 0, duration: 40 }],
    tier_tiles: [{ tier_item_id: 'soup', position: 25 }],
  };
  const keys = (image: string) => {
    const items = TIER_LIST.items.map((item) => (item.id === 'soup' ? { ...item, file_field: 'p' } : item));
    const made = plan({ tier_list: { ...TIER_LIST, items }, timeline_data }, { p: picture(image) });
    return made.chunks.map(({ key }) => key);
  };
  const [soup, stew] = [keys('soup'), keys('stew')];
  assert.deepEqual(soup.slice(0, 2), stew.slice(0, 2));
  assert.notDeepEqual(soup.slice(2), stew.slice(2));
});

test('[chunks] the name of a hidden item does not matter before it is seen, however large its card', () => {
  const keys = (name: string, rows: number) => {
    const tier_list = {
      title: '',
      rows: Array.from({ length: rows }, (_, row) => ({
        id: `${row}`,
        label: 'S',
        color: '#ff7f7f',
        item_ids: row === 0 ? ['soup'] : [],
      })),
      items: [{ id: 'soup', name, file_field: 'p' }],
    };
    const timeline_data = {
      tier_blocks: [{ start: 0, duration: 40 }],
      tier_tiles: [{ tier_item_id: 'soup', position: 25 }],
    };
    return plan({ tier_list, timeline_data }, { p: picture('p') }).chunks.map(({ key }) => key);
  };
  for (const rows of [1, 2, 8]) {
    assert.deepEqual(keys('Soup', rows).slice(0, 2), keys('Stew', rows).slice(0, 2));
    assert.notDeepEqual(keys('Soup', rows).slice(2), keys('Stew', rows).slice(2));
  }
});

test('[chunks] everything that decides a pixel is in the key', () => {
  const base = {
    videos: [{ file_field: 'a', duration: 4, trim_start: 2 }],
    subtitles: [{ text: 'x', start: 0, duration: 4 }],
    tier_blocks: [{ start: 0, duration: 4 }],
  };
  const key = (timeline: object, settings: object = {}) => planned(timeline, settings).chunks[0]!.key;
  const video = (other: object) => ({ ...base, videos: [{ ...base.videos[0], ...other }] });
  const subtitle = (other: object) => ({ ...base, subtitles: [{ ...base.subtitles[0], ...other }] });
  const variants = [
    key(base),
    key(video({ trim_start: 2.1 })),
    key(video({ speed: 1.5 })),
    key(video({ file_field: 'b' })),
    key(video({ crop_x: 0.1 })),
    key(video({ fade_in: 1 })),
    key(video({ fade_out: 1 })),
    key(video({ trim_end: 3 })),
    key(video({ width_percent: 50 })),
    key(subtitle({ text: 'y' })),
    key(subtitle({ size: 20 })),
    key(subtitle({ text_color: '#ff0000' })),
    key(subtitle({ background_alpha: 10 })),
    key(subtitle({ align: 'left' })),
    key({ ...base, tier_blocks: [{ start: 0, duration: 4, x_percent: 10 }] }),
    key({ ...base, tier_tiles: [{ tier_item_id: 'nuts', position: 1 }] }),
    key({ ...base, tier_tiles: [{ tier_item_id: 'nuts', position: 2 }] }),
    key({ ...base, tier_tiles: [{ tier_item_id: 'nuts', position: 1 }] }, { reveal: 'spotlight' }),
    key(base, { background: '#ffffff' }),
    key(base, { quality: 'high' }),
    key(base, { encoder_preset: 'slow' }),
    key(base, { fps: 29.97 }),
    key(base, { width: 1280, height: 720 }),
  ];
  assert.equal(new Set(variants).size, variants.length);
});

test('[R9] 2,000 entries in every lane are planned, and the spans grow with the entries only', () => {
  const many = <T>(make: (i: number) => T) => Array.from({ length: 2000 }, (_, i) => make(i));
  const tier_list = { items: Array.from({ length: 500 }, (_, i) => ({ id: `i${i}` })), rows: [{ id: 'r' }] };
  const timeline_data = {
    videos: many((i) => ({ file_field: 'a', start: i * 7, duration: 7 })),
    audios: many((i) => ({ file_field: 'b', start: i * 7, duration: 6 })),
    soundtracks: many((i) => ({ file_field: 'm', start: i * 7, duration: 7 })),
    tier_blocks: many((i) => ({ start: i * 7 + 1, duration: 5 })),
    tier_tiles: Array.from({ length: 500 }, (_, i) => ({ tier_item_id: `i${i}`, position: i * 28 + 2 })),
    subtitles: many((i) => ({ text: `line ${i}`, start: i * 7 + 0.5, duration: 3 })),
  };
  const made = plan({ tier_list, timeline_data }, MEDIA);
  // Every block comes and goes as well.
  assert.ok(made.spans.length < 3 * 2000 * 2 + 2000 * 2);
  assert.ok(made.spans.every(({ layers }) => layers.length <= 3));
});

test('planning fails with an ExportError or succeeds, whatever the media are', () => {
  const anything = fc.record({
    hash: fc.constant('0'.repeat(64)),
    kind: fc.constantFrom('video', 'animation', 'still', 'audio', 'unreadable'),
    duration: fc.double({ min: 0, max: 20_000, noNaN: true }),
    width: fc.integer({ min: 1, max: 9000 }),
    height: fc.integer({ min: 1, max: 9000 }),
    alpha: fc.boolean(),
    sound: fc.boolean(),
  });
  fc.assert(
    fc.property(timelines, anything, anything, (timeline, a, b) => {
      try {
        const made = plan(
          { tier_list: TIER_LIST, timeline_data: sent(timeline) },
          { ...MEDIA, a: a as never, b: b as never },
        );
        for (const { crop, dest, source } of made.clips) {
          const field = made.sources[source]!.field;
          const media = { ...MEDIA, a, b }[field as 'a']!;
          assert.ok(crop.x >= 0 && crop.y >= 0 && crop.width >= 1 && crop.height >= 1);
          assert.ok(crop.x + crop.width <= media.width && crop.y + crop.height <= media.height);
          assert.ok(dest.x >= 0 && dest.y >= 0 && dest.x + dest.width <= 1920 && dest.y + dest.height <= 1080);
        }
      } catch (error) {
        if (!(error instanceof ExportError)) throw error;
      }
    }),
  );
});
