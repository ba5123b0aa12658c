import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExportError } from '../../src/errors.ts';
import { formatPlan } from '../../src/plan/format-plan.ts';
import { clipTime } from '../../src/plan/frame/clip-at-frame.ts';
import type { RenderPlan } from '../../src/plan/model/render-plan.ts';
import { frames } from '../../src/time.ts';
import { facts, picture, plan, sound, TIER_LIST } from '../request-builder.ts';

const MEDIA = { clip: facts('clip'), wall: picture('wall', 400, 300), song: sound('song') };

function planned(videos: readonly object[], background: unknown, preset = 'landscape', seconds = 10): RenderPlan {
  const timeline_data = { videos, subtitles: [{ text: '…', start: 0, duration: seconds }] };
  return plan({ tier_list: TIER_LIST, timeline_data, settings: { background } }, MEDIA, preset);
}

/** The clips of each span, by id. */
function shown({ spans, clips }: RenderPlan): string[] {
  return spans.map(({ layers }) =>
    layers
      .flatMap((ref) => (ref.kind === 'clip' ? [`${clips[ref.index]!.id}${clips[ref.index]!.ground ? '*' : ''}`] : []))
      .join(' '),
  );
}

const FILM = { id: 'film', file_field: 'clip', start: 2, duration: 3, trim_start: 10 };

test('[C61] an image is behind everything, fills each canvas, and shows in the bars of a clip that owns the canvas', () => {
  const image = { kind: 'image', file_field: 'wall', blur: 40 };
  assert.deepEqual(shown(planned([FILM], image, 'portrait')), ['background*', 'background* film', 'background*']);
  // In landscape the clip leaves no bars: what is hidden is not drawn. (R8)
  assert.deepEqual(shown(planned([FILM], image)), ['background*', 'film', 'background*']);
  assert.deepEqual(shown(planned([{ ...FILM, fit: 'cover' }], image, 'portrait')), [
    'background*',
    'film',
    'background*',
  ]);
  const under = { ...FILM, id: 'under', start: 0, duration: 10 };
  assert.deepEqual(shown(planned([under, FILM], image, 'portrait')), [
    ...['background* under', 'background* film', 'background* under'],
  ]);
  const [ground] = planned([], image, 'portrait').clips;
  assert.deepEqual(ground!.dest, { x: 0, y: 0, width: 1080, height: 1920 });
  assert.deepEqual(ground!.crop, { x: 115, y: 0, width: 169, height: 300 });
  assert.match(formatPlan(planned([], image)), /c0 "background" still #0 .*, behind everything, blur 0.4/);
});

test('[C61] a copy of a clip shows at every frame what the clip shows; before and after it the nearest frame', () => {
  const { clips, spans, rate, totalFrames } = planned(
    [{ ...FILM, speed: 2 }],
    { kind: 'blur', of: 'film' },
    'portrait',
  );
  const film = clips.find(({ ground }) => ground === undefined)!;
  for (let n = 0; n < totalFrames; n += 1) {
    const span = spans.find(({ start, end }) => start <= n && n < end)!;
    const copies = span.layers.flatMap((ref) =>
      ref.kind === 'clip' && clips[ref.index]!.ground ? [clips[ref.index]!] : [],
    );
    assert.equal(copies.length, 1);
    const nearest = Math.max(film.shows.start, Math.min(n, film.shows.end - 1));
    const [is, wanted] = [clipTime(copies[0]!, frames(n), rate), clipTime(film, frames(nearest), rate)];
    assert.equal(is, wanted, `at frame ${n}`);
  }
});

test('[C61] with follow, a copy shows the clip in the box of its clip that started last', () => {
  const box = { x_percent: 60, y_percent: 10, width_percent: 30, height_percent: 80 };
  const part = (id: string, start: number, duration: number) => {
    return { id, file_field: 'clip', start, duration, trim_start: 20 - start, ...box };
  };
  const videos = [
    part('last', 7, 1),
    { ...part('other', 0, 9), x_percent: 0 },
    part('first', 1, 2),
    part('second', 3, 3),
    part('over', 4, 1),
  ];
  const { clips, spans, rate, totalFrames } = planned(videos, { kind: 'blur', of: 'first', follow: true });
  const plain = new Map(clips.filter(({ ground }) => ground === undefined).map((clip) => [clip.id, clip]));
  const order = ['first', 'second', 'over', 'last'].map((id) => plain.get(id)!);
  let wanted = order[0]!;
  for (let n = 0; n < totalFrames; n += 1) {
    const span = spans.find(({ start, end }) => start <= n && n < end)!;
    const copies = span.layers.flatMap((ref) =>
      ref.kind === 'clip' && clips[ref.index]!.ground ? [clips[ref.index]!] : [],
    );
    assert.equal(copies.length, 1);
    wanted = order.findLast(({ shows }) => shows.start <= n && n < shows.end) ?? wanted;
    const nearest = Math.max(wanted.shows.start, Math.min(n, wanted.shows.end - 1));
    assert.equal(copies[0]!.id, wanted.id, `at frame ${n}`);
    assert.equal(clipTime(copies[0]!, frames(n), rate), clipTime(wanted, frames(nearest), rate), `at frame ${n}`);
  }
});

test('[C61] follow compares boxes as they are given: in portrait, parts beside a board follow each other', () => {
  const beside = { x_percent: 70, width_percent: 25, presets: { square: { hidden: true } } };
  const videos = [0, 4, 8].map((start) => {
    return { id: `part-${start}`, file_field: 'clip', start, duration: 4, trim_start: start, ...beside };
  });
  const timeline_data = { videos, tier_blocks: [{ start: 0, duration: 12, x_percent: 0, width_percent: 65 }] };
  const settings = { background: { kind: 'blur', of: 'part-0', follow: true } };
  for (const preset of ['portrait', 'square']) {
    const { clips } = plan({ tier_list: TIER_LIST, timeline_data, settings }, MEDIA, preset);
    const copies = clips.filter(({ ground }) => ground !== undefined).map(({ id }) => id);
    assert.deepEqual(copies, ['part-0', 'part-4', 'part-8'], preset);
  }
});

test('[C61] a still gradient has the same key anywhere, a moving one does not', () => {
  const keys = (background: unknown) => new Set(planned([], background, 'landscape', 60).chunks.map(({ key }) => key));
  const colors = ['#102030', '#405060'];
  const still = { kind: 'gradient', colors };
  assert.equal(keys(still).size, keys('#000000').size);
  const moving = planned([], { ...still, moving: true }, 'landscape', 60);
  assert.equal(new Set(moving.chunks.map(({ key }) => key)).size, moving.chunks.length);
  const all = [
    ...['#102030', still, { ...still, angle: 90 }, { ...still, colors: [...colors, '#102030'] }],
    ...[
      { ...still, moving: true },
      { kind: 'image', file_field: 'wall' },
      { kind: 'image', file_field: 'wall', blur: 1 },
    ],
  ].map((background) => [...keys(background)][0]);
  assert.equal(new Set(all).size, all.length);
  assert.match(formatPlan(moving), /background #102030 → #405060 at 180°, moving/);
});

test('[C61] a moving gradient behind a clip that hides it does not change the keys', () => {
  const background = { kind: 'gradient', colors: ['#102030', '#405060'], moving: true };
  const keys = (video: object, start: number) => {
    const videos = [{ file_field: 'wall', start, duration: 10, fit: 'cover', ...video }];
    const { chunks } = planned(videos, background, 'landscape', 30);
    return chunks.filter(({ start: at }) => at === start * 30).map(({ key }) => key);
  };
  assert.deepEqual(keys({}, 10), keys({}, 20));
  for (const seen of [{ fit: 'contain' }, { fade_in: 1 }, { x_percent: 50 }]) {
    assert.notDeepEqual(keys(seen, 10), keys(seen, 20), JSON.stringify(seen));
  }
});

test('[C61] a background must be an image', () => {
  for (const field of ['clip', 'song']) {
    assert.throws(
      () => planned([], { kind: 'image', file_field: field }),
      (error) =>
        error instanceof ExportError &&
        error.issues[0]!.code === 'media.no_picture' &&
        error.issues[0]!.path === '/settings/background/file_field',
    );
  }
});
