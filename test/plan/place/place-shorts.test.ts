import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { RenderPlan } from '../../../src/plan/model/render-plan.ts';
import { outlineOf, shortOutline } from '../../../src/plan/plan-outline.ts';
import { frameAt, frameRate, sampleAtFrame, secondsOf } from '../../../src/time.ts';
import { facts, plan } from '../../request-builder.ts';

const MEDIA = { clip: facts('clip', { duration: 600 }) };

/** A board over a clip of so many seconds, in portrait; items are revealed at these seconds. */
function planned(
  reveals: readonly number[],
  { seconds = 300, settings = {}, preset = 'portrait' as string | undefined } = {},
) {
  const items = reveals.map((_, n) => ({ id: `i${n}`, name: `Item\n${n}` }));
  const documents = {
    tier_list: { title: 'All', rows: [{ id: 's', label: 'S', item_ids: items.map(({ id }) => id) }], items },
    timeline_data: {
      videos: [{ file_field: 'clip', duration: seconds }],
      tier_blocks: [{ start: 0, duration: seconds }],
      tier_tiles: reveals.map((position, n) => ({ tier_item_id: `i${n}`, position })),
    },
    settings: { shorts: true, ...settings },
  };
  return plan(documents, MEDIA, preset);
}

function inSeconds({ shorts, rate }: RenderPlan): string[] {
  return shorts.map(({ start, end, title }) => `${secondsOf(start, rate)}–${secondsOf(end, rate)} ${title}`);
}

test('[C52] a short runs from 3 s before its reveal to 5 s after it, within the video', () => {
  assert.deepEqual(inSeconds(planned([1, 100, 298])), ['0–6 Item 0', '97–105 Item 1', '295–300 Item 2']);
});

test('[C52] reveals whose shorts would overlap share one, up to 60 s; those that only touch do not', () => {
  assert.deepEqual(inSeconds(planned([10, 17.9, 26])), ['7–22.9 Item 0, Item 1', '23–31 Item 2']);
  assert.deepEqual(inSeconds(planned([50, 50])), ['47–55 Item 0, Item 1']);
  // Eight seconds around the first, and four more with each: fourteen fit.
  const every = planned(Array.from({ length: 20 }, (_, n) => 10 + 4 * n));
  assert.deepEqual(
    every.shorts.map(({ start, end, title }) => [start / 30, end / 30, title.split(', ').length]),
    [
      [7, 67, 14],
      [63, 91, 6],
    ],
  );
});

test('[C52] a short lasts until 2.5 s after the landing; one that would be too long starts 50 s before the verdict', () => {
  const held = (hold: number) => {
    const items = [{ id: 'i', name: 'Item' }];
    const tier_list = { rows: [{ id: 's', label: 'S', item_ids: ['i'] }], items };
    const timeline_data = {
      tier_blocks: [{ start: 0, duration: 300 }],
      tier_tiles: [{ tier_item_id: 'i', position: 10, reveal: 'spotlight', hold }],
    };
    return plan({ tier_list, timeline_data, settings: { shorts: true } }, {}, 'portrait');
  };
  for (const [hold, starts] of [
    [1, 7],
    [30.65, 7],
    [99.65, 60],
  ] as const) {
    const { shorts, board, chapters } = held(hold);
    const { lands } = board!.events[0]!;
    assert.deepEqual([shorts[0]!.start, shorts[0]!.end], [starts * 30, Math.max(15 * 30, lands + 75)]);
    assert.equal(chapters[1]!.start, 300);
  }
});

test('[C52] shorts are optional, and are cut from the portrait preset only', () => {
  assert.deepEqual(planned([10], { settings: { shorts: false } }).shorts, []);
  assert.deepEqual(planned([10], { preset: 'landscape' }).shorts, []);
  assert.deepEqual(inSeconds(planned([10], { settings: { width: 500, height: 900 }, preset: 'preset_one' })), [
    '7–15 Item 0',
  ]);
  const { warnings } = planned([], { preset: 'landscape' });
  assert.deepEqual(
    warnings.map(({ path, code }) => `${path} ${code}`),
    ['/settings/shorts shorts.none'],
  );
  const wide = planned([10], { settings: { preset: 'portrait', width: 900, height: 500 } });
  assert.deepEqual([wide.shorts, wide.warnings.map(({ code }) => code)], [[], ['shorts.no_portrait']]);
});

test('[C52] a move is not a reveal, nor is a reveal after the end', () => {
  const documents = {
    tier_list: {
      rows: [{ id: 's', item_ids: ['a'] }, { id: 't' }],
      items: [
        { id: 'a', name: 'A' },
        { id: 'b', name: 'B' },
      ],
    },
    timeline_data: {
      tier_blocks: [{ start: 0, duration: 20 }],
      tier_tiles: [
        { tier_item_id: 'a', position: 5, to_row: 't' },
        { tier_item_id: 'b', position: 20 },
      ],
    },
    settings: { shorts: true },
  };
  assert.deepEqual(plan(documents, {}, 'portrait').shorts, []);
});

test('[C52] every reveal is in a short, complete if there is room; chunks cover it, and complete ones are those of the video', () => {
  const reveals = fc.array(fc.double({ min: 0, max: 299, noNaN: true }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(reveals, fc.constantFrom(10, 23.976, 29.97, 30, 59.94), (positions, fps) => {
      const made = planned(positions, { settings: { fps } });
      const { shorts, rate, totalFrames, chunks } = made;
      const known = new Map(chunks.map(({ start, end, key }) => [`${start}–${end}`, key]));
      for (const [n, { start, end, chunks }] of shorts.entries()) {
        assert.ok(start >= 0 && end <= totalFrames && (end - start) * rate.den <= 60 * rate.num);
        assert.ok(n === 0 || start > shorts[n - 1]!.start);
        assert.deepEqual([chunks[0]!.start, chunks.at(-1)!.end], [start, end]);
        for (const [i, chunk] of chunks.entries()) {
          if (i > 0) assert.equal(chunk.start, chunks[i - 1]!.end);
          const same = known.get(`${chunk.start}–${chunk.end}`);
          if (same !== undefined) assert.equal(chunk.key, same, 'rendered once for both');
          assert.ok(chunks.length === 1 || chunk.end - chunk.start >= frameAt(2, rate), 'no scrap');
        }
      }
      for (const position of positions) {
        const [from, to] = [
          frameAt(Math.max(0, position - 3), rate),
          Math.min(frameAt(position + 5, rate), totalFrames),
        ];
        assert.ok(
          shorts.some(({ start, end }) => start <= from && to <= end),
          `${position}`,
        );
      }
    }),
    { numRuns: 40 },
  );
});

test('[C52] as its own file a short has its part of chapters and of the mix, to the sample', () => {
  const made = planned([10.01, 100], { settings: { fps: 29.97 } });
  const whole = outlineOf(made);
  const outline = shortOutline(whole, 2)!;
  const { start, end } = made.shorts[1]!;
  const rate = frameRate(29.97);
  assert.equal(shortOutline(whole, 3), null);
  assert.equal(outline.title, 'All: Item 1');
  assert.equal(outline.totalFrames, end - start);
  assert.equal(outline.soundStart, sampleAtFrame(start, rate));
  assert.equal(outline.soundStart! + outline.audio.totalSamples, sampleAtFrame(end, rate));
  assert.equal(outline.audio.key, whole.audio.key, 'the same mix');
  assert.deepEqual(outline.chapters, [
    { start: 0, end: 90, title: 'Item 0' },
    { start: 90, end: end - start, title: 'Item 1' },
  ]);
  assert.equal(outline.needs.chunks.length, outline.chunks.length);
});

test('[C52] cards that are held up together have shorts around their last verdict, inside the video', () => {
  const documents = (position: number) => ({
    tier_list: {
      title: 'All',
      rows: [{ id: 's', label: 'S', item_ids: ['a', 'b'] }],
      items: [
        { id: 'a', name: 'A' },
        { id: 'b', name: 'B' },
      ],
    },
    timeline_data: {
      videos: [{ file_field: 'clip', duration: 300 }],
      tier_blocks: [{ start: 0, duration: 300 }],
      tier_tiles: [
        { tier_item_id: 'a', position, reveal: 'spotlight' },
        { tier_item_id: 'b', position, reveal: 'spotlight', hold: 100 },
      ],
    },
    settings: { shorts: true },
  });
  for (const position of [0, 100]) {
    const { shorts, rate } = plan(documents(position), MEDIA, 'portrait');
    for (const { start, end } of shorts) {
      assert.ok(start >= 0 && secondsOf((end - start) as typeof end, rate) <= 60, `${start} to ${end}`);
    }
  }
});
