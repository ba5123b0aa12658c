import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { clipTime, viewAt } from '../../../src/plan/frame/clip-at-frame.ts';
import { playedTrim } from '../../../src/plan/place/source-trim.ts';
import { type Entry, frameSlot, slotOf, type TimeRules } from '../../../src/studio/document/entries.ts';
import { moveEntries, removeEntries, rippleRemove } from '../../../src/studio/document/move-entries.ts';
import type { TimelineData } from '../../../src/studio/document/project.ts';
import {
  defaultOrder,
  recordTaps,
  revealAt,
  revealAtSecond,
  spreadReveals,
} from '../../../src/studio/document/reveals.ts';
import { splitAll, splitEntry, whyNotSplit } from '../../../src/studio/document/split-entry.ts';
import { rippleTrim, trimEntry } from '../../../src/studio/document/trim-entry.ts';
import { withMovedPoint, withoutPoint, withPoint } from '../../../src/studio/document/volume-points.ts';
import { type Frames, frameRange, frameRate, frames, secondsOf, speedMillionths } from '../../../src/time.ts';
import { IssueList } from '../../../src/timeline/issue-list.ts';
import { picture, plan, TIER_LIST } from '../../request-builder.ts';
import { timelineOf } from './timeline-of.ts';

const SOURCE_SECONDS = 30;
const RATES = [24, 25, 29.97, 30, 59.94, 60].map(frameRate);

function rules(rate = frameRate(30)): TimeRules {
  return {
    ...{ rate, trimEndAs: 'out_point', sourceLength: (field) => (field === 'still' ? null : SOURCE_SECONDS) },
    sourceHash: (field) => picture(field).hash,
  };
}

/** The source microsecond that the planner gives a clip at an output frame. */
function shownAt(timeline: TimelineData, index: number, n: number, { rate }: TimeRules): number {
  const { speed = 1, ...raw } = timeline.videos![index]!;
  const entry = {
    ...{ path: '', id: '', media: { field: raw.file_field, path: '' }, start: raw.start ?? 0, gain: 1 },
    ...{ duration: raw.duration ?? null, trimStart: raw.trim_start ?? 0, trimEnd: raw.trim_end || null, speed },
    ...{ fadeIn: 0, fadeOut: 0, volumePoints: [], denoise: false },
  };
  const facts = {
    hash: '',
    kind: 'video',
    duration: SOURCE_SECONDS,
    width: 2,
    height: 2,
    alpha: false,
    sound: true,
  } as const;
  const settings = { trimEndAs: 'out_point', rate } as never;
  const played = playedTrim(entry, facts, { settings, issues: new IssueList(), endless: false })!;
  const shows = frameRange(entry.start, played.end, rate);
  const clip = { shows, trim: played.trim, lead: frames(0), speed: speedMillionths(speed), loop: false };
  return clipTime(clip, frames(n), rate);
}

const clip = fc.record({
  rate: fc.constantFrom(...RATES),
  start: fc.double({ min: 0, max: 4000, noNaN: true }),
  duration: fc.double({ min: 0.2, max: 8, noNaN: true }),
  trim: fc.double({ min: 0, max: 5, noNaN: true }),
  speed: fc.constantFrom(0.5, 0.75, 1, 1.25, 2),
  share: fc.double({ min: 0.01, max: 0.99, noNaN: true }),
});

test('[R5] a clip cut in two shows the frames it showed before, at any rate and speed', () => {
  fc.assert(
    fc.property(clip, ({ rate, start, duration, trim, speed, share }) => {
      const by = rules(rate);
      const before = timelineOf({ videos: [{ file_field: 'a', start, duration, trim_start: trim, speed }] });
      const slot = slotOf(before, { lane: 'videos', index: 0 }, by);
      const at = Math.min(
        slot.end - 1,
        Math.max(slot.start + 1, Math.round(slot.start + share * (slot.end - slot.start))),
      );
      fc.pre(at > slot.start && at < slot.end);
      const after = splitEntry(before, { lane: 'videos', index: 0 }, frames(at), by);
      assert.deepEqual(
        after.videos!.map((entry) => frameSlot(entry, by)),
        [
          { start: slot.start, end: at },
          { start: at, end: slot.end },
        ],
      );
      for (const n of [slot.start, at - 1, at, Math.floor((at + slot.end) / 2), slot.end - 1]) {
        const [was, is] = [shownAt(before, 0, n, by), shownAt(after, n < at ? 0 : 1, n, by)];
        assert.ok(Math.abs(was - is) <= 1, `frame ${n}: ${was} before, ${is} after`);
      }
    }),
  );
});

test('[R5] a trimmed clip shows the same frames as before in its remaining part', () => {
  fc.assert(
    fc.property(
      clip,
      fc.integer({ min: -200, max: 400 }),
      fc.constantFrom('start' as const, 'end' as const),
      (given, by, edge) => {
        const { rate, start, duration, trim, speed } = given;
        const by_ = rules(rate);
        const before = timelineOf({ videos: [{ file_field: 'a', start, duration, trim_start: trim, speed }] });
        const ref = { lane: 'videos', index: 0 } as const;
        const slot = slotOf(before, ref, by_);
        const after = trimEntry(before, ref, { edge, to: (slot[edge] + by) as Frames }, by_);
        const now = slotOf(after, ref, by_);
        assert.equal(edge === 'start' ? now.end : now.start, edge === 'start' ? slot.end : slot.start);
        assert.ok(now.end > now.start && now.start >= 0);
        assert.ok((after.videos![0]!.trim_start ?? 0) >= 0);
        for (const n of [Math.max(now.start, slot.start), Math.min(now.end, slot.end) - 1]) {
          const difference = Math.abs(shownAt(before, 0, n, by_) - shownAt(after, 0, n, by_));
          assert.ok(difference <= 1, `frame ${n} of ${now.start} to ${now.end}: off by ${difference} µs`);
        }
      },
    ),
  );
});

test('a trim stops at the end of the source, and moves an out-point along', () => {
  const by = rules();
  const at = { lane: 'videos', index: 0 } as const;
  const clip = timelineOf({ videos: [{ file_field: 'a', start: 10, duration: 5, trim_start: 2, trim_end: 7 }] });
  assert.deepEqual(slotOf(trimEntry(clip, at, { edge: 'start', to: frames(0) }, by), at, by), { start: 240, end: 450 });
  const longer = trimEntry(clip, at, { edge: 'end', to: frames(600) }, by);
  assert.deepEqual(longer.videos![0], { file_field: 'a', start: 10, duration: 10, trim_start: 2, trim_end: 12 });
  const longest = trimEntry(clip, at, { edge: 'end', to: frames(100_000) }, by);
  assert.deepEqual(longest.videos![0], { file_field: 'a', start: 10, duration: 28, trim_start: 2, trim_end: 0 });
  const still = timelineOf({ videos: [{ file_field: 'still', start: 1, duration: 1 }] });
  assert.deepEqual(trimEntry(still, at, { edge: 'end', to: frames(3000) }, by).videos![0]!.duration, 99);
  assert.equal('trim_start' in trimEntry(still, at, { edge: 'start', to: frames(15) }, by).videos![0]!, false);
});

test('[C48, C60] a split entry keeps its entrance and exit only at its outer ends', () => {
  const slot = { start: 0, duration: 4 };
  const passing = timelineOf({
    videos: [
      { file_field: 'a', ...slot, enter: 'slide', exit: 'fade' },
      { file_field: 'a', ...slot },
    ],
    titles: [{ text: 'Words', ...slot }],
    subtitles: [{ text: 'Words', ...slot, exit: 'fade' }],
  });
  const { videos, titles, subtitles } = splitAll(passing, frames(60), rules());
  const ways = (entries: readonly { enter?: string | undefined; exit?: string | undefined }[]) =>
    entries.map(({ enter, exit }) => [enter, exit]);
  const absent = [undefined, undefined];
  assert.deepEqual(ways(videos), [['slide', 'none'], ['none', 'fade'], absent, absent]);
  assert.deepEqual(ways(titles), [
    [undefined, 'none'],
    ['none', undefined],
  ]);
  assert.deepEqual(ways(subtitles), [
    [undefined, 'none'],
    [undefined, 'fade'],
  ]);
});

test('an entry that cannot be split gives the reason, and does not change', () => {
  const by = rules();
  const timeline = timelineOf({
    tier_tiles: [{ tier_item_id: 'x', position: 1 }],
    soundtracks: [{ file_field: 'a', start: 0, duration: 60, loop: true }],
    subtitles: [{ text: 'Hello', start: 0, duration: 2, id: 'hello' }],
  });
  assert.match(whyNotSplit(timeline, { lane: 'tier_tiles', index: 0 }, frames(30), by)!, /duration/);
  assert.match(whyNotSplit(timeline, { lane: 'soundtracks', index: 0 }, frames(30), by)!, /Repeat/);
  assert.match(whyNotSplit(timeline, { lane: 'subtitles', index: 0 }, frames(60), by)!, /playhead/);
  assert.equal(splitEntry(timeline, { lane: 'soundtracks', index: 0 }, frames(30), by), timeline);
  const all = splitAll(timeline, frames(30), by);
  assert.deepEqual(
    all.subtitles!.map(({ id, start, duration }) => [id, start, duration]),
    [
      ['hello', 0, 1],
      ['hello 2', 1, 1],
    ],
  );
});

test('entries move together, never before the start; lengths stay', () => {
  const by = rules(frameRate(29.97));
  const timeline = timelineOf({
    videos: [{ file_field: 'a', start: 2, duration: 3 }],
    tier_tiles: [{ tier_item_id: 'x', position: 2.5 }],
  });
  const refs = [
    { lane: 'videos', index: 0 },
    { lane: 'tier_tiles', index: 0 },
  ] as const;
  const moved = moveEntries(timeline, refs, -1000, by);
  assert.equal(slotOf(moved, refs[0], by).start, 0);
  assert.equal(
    slotOf(moved, refs[1], by).start,
    slotOf(timeline, refs[1], by).start - slotOf(timeline, refs[0], by).start,
  );
  assert.equal(moved.videos![0]!.duration, 3);
});

test('a ripple removes the time from every lane, once, and does not change what comes before', () => {
  const by = rules();
  const timeline = timelineOf({
    videos: [
      { file_field: 'a', start: 0, duration: 2 },
      { file_field: 'a', start: 2, duration: 3 },
      { file_field: 'a', start: 5, duration: 1 },
    ],
    tier_tiles: [
      { tier_item_id: 'x', position: 1 },
      { tier_item_id: 'y', position: 5.5 },
    ],
    subtitles: [{ text: 'over it', start: 2, duration: 3 }],
    soundtracks: [{ file_field: 'a', start: 0, duration: 6 }],
  });
  const gone = rippleRemove(
    timeline,
    [
      { lane: 'videos', index: 1 },
      { lane: 'subtitles', index: 0 },
    ],
    by,
  );
  assert.deepEqual(
    gone.videos!.map(({ start }) => start),
    [0, 2],
  );
  assert.deepEqual(
    gone.tier_tiles!.map(({ position }) => position),
    [1, 2.5],
  );
  assert.deepEqual(gone.subtitles, []);
  assert.deepEqual(
    removeEntries(timeline, [{ lane: 'videos', index: 1 }]).videos!.map(({ start }) => start),
    [0, 5],
  );
});

test('a ripple keeps reveals in order, and nothing that accompanies the pictures outlasts them', () => {
  const by = rules();
  const timeline = timelineOf({
    videos: [
      { file_field: 'a', start: 0, duration: 2 },
      { file_field: 'a', start: 2, duration: 3 },
      { file_field: 'a', start: 5, duration: 1 },
    ],
    tier_blocks: [
      { start: 1, duration: 5 },
      { start: 3, duration: 1 },
    ],
    tier_tiles: [
      { tier_item_id: 'x', position: 1 },
      { tier_item_id: 'in the cut', position: 4, stamp_at: 4.5 },
      { tier_item_id: 'y', position: 5 },
    ],
    soundtracks: [
      { file_field: 'a', start: 0, duration: 6, role: 'music' },
      { file_field: 'a', start: 0, duration: 6, role: 'voice' },
    ],
  });
  const gone = rippleRemove(timeline, [{ lane: 'videos', index: 1 }], by);
  assert.deepEqual(
    gone.tier_tiles.map(({ tier_item_id: id, position, stamp_at: stamp }) => [id, position, stamp]),
    [
      ['x', 1, undefined],
      ['in the cut', 2, 2.5],
      ['y', 2, undefined],
    ],
  );
  assert.deepEqual(gone.tier_blocks, [{ start: 1, duration: 2 }]);
  assert.deepEqual(
    gone.soundtracks.map(({ duration }) => duration),
    [3, 6],
  );
});

const LIST = {
  items: ['a', 'b', 'c', 'd', 'pool'].map((id) => ({ id })),
  rows: [{ item_ids: ['a'] }, { item_ids: ['b', 'c'] }, { item_ids: ['d'] }],
};

test('reveals are ordered from the lowest row up, spread evenly, recorded by taps', () => {
  const by = rules();
  assert.deepEqual(defaultOrder(LIST), ['d', 'b', 'c', 'a']);
  const one = revealAt(timelineOf({}), 'c', frames(45), by);
  assert.deepEqual(one.tier_tiles, [{ tier_item_id: 'c', position: 1.5 }]);
  assert.deepEqual(revealAt(one, 'c', frames(60), by).tier_tiles, [{ tier_item_id: 'c', position: 2 }]);
  const spread = spreadReveals(one, LIST, { start: frames(0), end: frames(300) }, by);
  assert.deepEqual(
    spread.tier_tiles!.map((tile) => [tile.tier_item_id, tile.position]),
    [
      ['c', 2],
      ['d', 4],
      ['b', 6],
      ['a', 8],
    ],
  );
  const typed = revealAtSecond(one, 'a', 0.5);
  assert.deepEqual(typed.tier_tiles[1], { id: 'reveal-a', tier_item_id: 'a', position: 0.5 });
  assert.deepEqual(revealAtSecond(typed, 'a', 2).tier_tiles[1]!.position, 2);
  assert.deepEqual(revealAtSecond(typed, 'a', null).tier_tiles, one.tier_tiles);
  const taps = recordTaps(timelineOf({}), defaultOrder(LIST), [30, 60, 75].map(frames), by);
  assert.deepEqual(
    taps.tier_tiles!.map((tile) => tile.tier_item_id),
    ['d', 'b', 'c'],
  );
});

test('[R2] a time written for a frame is read as that frame, at every rate', () => {
  for (const rate of RATES) {
    const by = rules(rate);
    for (let frame = 0; frame < 500_000; frame = frame * 2 + 1) {
      const entry = moveEntries(
        timelineOf({ tier_tiles: [{ tier_item_id: 'x', position: 0 }] }),
        [{ lane: 'tier_tiles', index: 0 }],
        frame,
        by,
      );
      assert.equal(slotOf(entry, { lane: 'tier_tiles', index: 0 }, by).start, frame);
      assert.ok(Math.abs(entry.tier_tiles![0]!.position - secondsOf(frames(frame), rate)) < 1e-6);
    }
  }
});

test('a ripple trim keeps the distance of what comes after, in all lanes, and the start of the entry', () => {
  const timeline = timelineOf({
    videos: [
      { file_field: 'a', start: 1, duration: 4, trim_start: 2 },
      { file_field: 'b', start: 5, duration: 2 },
    ],
    tier_tiles: [
      { tier_item_id: 'early', position: 0.5 },
      { tier_item_id: 'within', position: 3 },
      { tier_item_id: 'late', position: 6 },
    ],
  });
  const ref = { lane: 'videos', index: 0 } as const;
  const summary = ({ videos, tier_tiles }: TimelineData) => [
    ...videos!.map(({ start, duration, trim_start }) => [start, duration, trim_start]),
    tier_tiles!.map(({ position }) => position),
  ];
  const trimmed = (edge: 'start' | 'end', to: number) =>
    summary(rippleTrim(timeline, ref, { edge, to: frames(to) }, rules()));
  assert.deepEqual(trimmed('end', 120), [
    [1, 3, 2],
    [4, 2, undefined],
    [0.5, 3, 5],
  ]);
  assert.deepEqual(trimmed('end', 180), [
    [1, 5, 2],
    [6, 2, undefined],
    [0.5, 3, 7],
  ]);
  assert.deepEqual(trimmed('start', 60), [
    [1, 3, 3],
    [4, 2, undefined],
    [0.5, 2, 5],
  ]);
  assert.deepEqual(trimmed('start', 0), [
    [1, 5, 1],
    [6, 2, undefined],
    [0.5, 4, 7],
  ]);
  assert.equal(rippleTrim(timeline, ref, { edge: 'end', to: frames(150) }, rules()), timeline);
});

test('[C80] volume points stay where they are on the timeline when an entry is split or its start is trimmed', () => {
  const by = rules();
  const points = [
    { at: 1, volume: 1 },
    { at: 3, volume: 0.01 },
  ];
  const before = timelineOf({ soundtracks: [{ file_field: 'a', start: 0, duration: 6, volume_points: points }] });
  const ref = { lane: 'soundtracks', index: 0 } as const;
  const [first, second] = splitEntry(before, ref, frames(60), by).soundtracks;
  assert.deepEqual(first?.volume_points, [points[0], { at: 2, volume: 0.1 }]);
  assert.deepEqual(second?.volume_points, [
    { at: 0, volume: 0.1 },
    { at: 1, volume: 0.01 },
  ]);
  const [later] = trimEntry(before, ref, { edge: 'start', to: frames(15) }, by).soundtracks;
  assert.deepEqual(later?.volume_points, [
    { at: 0.5, volume: 1 },
    { at: 2.5, volume: 0.01 },
  ]);
});

test('[C80] a volume point within a microsecond of a cut does not duplicate the one at the cut', () => {
  const points = [
    { at: 0, volume: 1 },
    { at: 0.066667, volume: 0.5 },
    { at: 3, volume: 1 },
  ];
  const before = timelineOf({ soundtracks: [{ file_field: 'a', start: 0, duration: 6, volume_points: points }] });
  const [, second] = splitEntry(before, { lane: 'soundtracks', index: 0 }, frames(2), rules()).soundtracks;
  assert.equal(second?.volume_points?.length, 2);
  assert.deepEqual(
    second?.volume_points?.map(({ at }) => at),
    [0, 2.933333],
  );
});

const view = fc.record({ x: fc.integer({ min: 0, max: 100 }), scale: fc.double({ min: 1, max: 3, noNaN: true }) });

test('[C58] [C59] a clip cut in two, and again, moves as before in every format; its transition stays at its start', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.constant('ken_burns' as const), fc.record({ from: view, to: view })),
      fc.constantFrom('ease_in_out' as const, 'linear' as const),
      fc.integer({ min: 32, max: 88 }),
      (given, ease, at) => {
        const motion = given === 'ken_burns' ? given : { ...given, ease };
        const before = timelineOf({
          videos: [
            { file_field: 'still', start: 0, duration: 1 },
            {
              ...{ file_field: 'still', start: 1, duration: 2, motion, transition: { kind: 'dip' } },
              presets: { portrait: { motion: 'ken_burns' } },
            },
          ],
        });
        const once = splitEntry(before, { lane: 'videos', index: 1 }, frames(at), rules());
        const twice = splitEntry(once, { lane: 'videos', index: 2 }, frames(at + 1), rules());
        assert.deepEqual(
          twice.videos.map(({ transition }) => transition?.kind),
          [undefined, 'dip', undefined, undefined],
        );
        for (const preset of ['preset_one', 'preset_two']) {
          const [whole, parts] = [before, twice].map((timeline_data) =>
            plan(
              { tier_list: TIER_LIST, timeline_data, settings: {} },
              { still: picture('still', 1600, 1200) },
              preset,
            ),
          );
          const shown = (of: typeof whole, n: number) => {
            const clip = of!.clips.slice(1).find(({ shows }) => shows.start <= n && n < shows.end)!;
            return [clip.crop, viewAt(clip.motion!, frames(n))];
          };
          for (let n = 30; n < 90; n += 1) assert.deepEqual(shown(parts, n), shown(whole, n), `frame ${n}`);
        }
      },
    ),
    { numRuns: 20 },
  );
});

test('[C80] points keep their order and stay within their entry, wherever they are added and moved to', () => {
  const level = fc.record({
    at: fc.double({ min: -2, max: 9, noNaN: true }),
    gain: fc.double({ min: 0, max: 6, noNaN: true }),
  });
  const moves = fc.array(fc.tuple(fc.nat(20), level), { maxLength: 20 });
  fc.assert(
    fc.property(
      fc.array(level, { minLength: 1, maxLength: 20 }),
      moves,
      fc.constantFrom('gain', 'percent'),
      (added, moved, unit) => {
        const limits = { length: 9, apart: 1 / 30, unit };
        let entry: Entry = { file_field: 'a', start: 0, duration: 9 };
        for (const each of added) entry = withPoint(entry, each, unit)!.entry;
        const before = entry.volume_points!.length;
        for (const [index, to] of moved) entry = withMovedPoint(entry, index % before, to, limits);
        const points = entry.volume_points!;
        assert.equal(points.length, before);
        for (const [i, { at, volume }] of points.entries()) {
          assert.ok(at >= 0 && at <= 9 && volume >= 0 && volume <= (unit === 'percent' ? 400 : 4));
          assert.ok(i === 0 || points[i - 1]!.at < at, `${points[i - 1]?.at} before ${at}`);
        }
        for (let left = before; left > 0; left -= 1) entry = withoutPoint(entry, left - 1);
        assert.deepEqual(entry, { file_field: 'a', start: 0, duration: 9 });
      },
    ),
  );
});
