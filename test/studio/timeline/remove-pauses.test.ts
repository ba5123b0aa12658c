import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Entry, frameSlot, lastFrameOf, type TimeRules } from '../../../src/studio/document/entries.ts';
import {
  cutTime,
  framesOfSource,
  joinedCuts,
  lostIn,
  whyNoPauses,
} from '../../../src/studio/document/remove-pauses.ts';
import { type Frames, frameAt, frameRate, frames, type Range } from '../../../src/time.ts';
import { timelineOf } from './timeline-of.ts';

const SOURCE_SECONDS = 40;
const RATES = [24, 25, 29.97, 30, 60].map(frameRate);

function rules(rate = frameRate(30)): TimeRules {
  return { rate, trimEndAs: 'out_point', sourceLength: (field) => (field === 'still' ? null : SOURCE_SECONDS) };
}

/** Cuts from lengths, kept and cut in turn: they never touch. */
const cutsOf = (lengths: readonly number[]): Range<Frames>[] => {
  let at = 0;
  return lengths.flatMap((length, index) => {
    const start = at;
    at += length;
    return index % 2 === 1 ? [{ start: frames(start), end: frames(at) }] : [];
  });
};

const someCuts = fc.array(fc.integer({ min: 1, max: 120 }), { minLength: 2, maxLength: 14 }).map(cutsOf);
const second = fc.double({ min: 0, max: 20, noNaN: true });
const length = fc.double({ min: 0.1, max: 12, noNaN: true });
const span = fc.record({ start: second, duration: length });
const source = fc.record({
  ...{ file_field: fc.constant('voice'), start: second, duration: length },
  ...{ trim_start: fc.double({ min: 0, max: 8, noNaN: true }), speed: fc.constantFrom(0.5, 1, 1.5) },
});

test('[C78] cutting time keeps speech, picture, words and reveals together, and takes out exactly the cuts', () => {
  fc.assert(
    fc.property(
      fc.record({
        rate: fc.constantFrom(...RATES),
        cuts: someCuts,
        videos: fc.array(source, { minLength: 1, maxLength: 3 }),
        music: span,
        subtitles: fc.array(span, { maxLength: 4 }),
        tiles: fc.array(fc.record({ position: second, later: length }), { maxLength: 4 }),
        block: fc.record({ start: fc.constant(0), duration: fc.double({ min: 20, max: 33, noNaN: true }) }),
      }),
      ({ rate, cuts, videos, music, subtitles, tiles, block }) => {
        const by = rules(rate);
        const before = timelineOf({
          videos,
          soundtracks: [{ file_field: 'music', role: 'music', ...music }],
          subtitles: subtitles.map((each, index) => ({ ...each, text: `${index}` })),
          tier_blocks: [block],
          tier_tiles: tiles.map(({ position, later }, index) => ({
            ...{ tier_item_id: `${index}`, position, stamp_at: position + later },
          })),
        });
        const after = cutTime(before, cuts, by);
        const isCut = (n: number) => cuts.some(({ start, end }) => start <= n && n < end);
        /** Where a frame is afterwards, counted one by one. */
        const last = Math.max(0, ...[...videos, music, block, ...subtitles].map((each) => frameSlot(each, by).end));
        const moved = [0];
        for (let n = 0; n < last + 1000; n += 1) moved.push(moved[n]! + (isCut(n) ? 0 : 1));

        assert.equal(lastFrameOf(after, by), moved[lastFrameOf(before, by)]);
        // Each frame that is left plays the same source: which part it is in does not matter.
        const heard = (entries: readonly Entry[]) =>
          entries.flatMap((entry) => {
            const { start, end } = frameSlot(entry, by);
            return Array.from({ length: end - start }, (_, i) => ({
              frame: start + i,
              at: (entry.trim_start ?? 0) + ((i * rate.den) / rate.num) * (entry.speed ?? 1),
            }));
          });
        const wanted = heard(before.videos as readonly Entry[]).filter(({ frame }) => !isCut(frame));
        const found = heard(after.videos as readonly Entry[]);
        assert.equal(found.length, wanted.length);
        for (const [i, { frame, at }] of wanted.entries()) {
          assert.equal(found[i]!.frame, moved[frame]);
          assert.ok(Math.abs(found[i]!.at - at) < 1e-5, `source ${found[i]!.at}, not ${at}`);
        }
        for (const [i, tile] of before.tier_tiles.entries()) {
          const now = after.tier_tiles[i]!;
          assert.equal(frameAt(now.position, rate), moved[frameAt(tile.position, rate)]);
          assert.equal(frameAt(now.stamp_at!, rate), moved[frameAt(tile.stamp_at!, rate)]);
        }
        // Texts, the board and music become shorter, in their order; those within a cut are gone, and named.
        const slots = (list: readonly Entry[]) => list.map((each) => frameSlot(each, by));
        for (const lane of ['subtitles', 'tier_blocks', 'soundtracks'] as const) {
          const expected = slots(before[lane] as readonly Entry[])
            .map(({ start, end }) => ({ start: moved[start]!, end: moved[end]! }))
            .filter(({ start, end }) => end > start);
          assert.deepEqual(slots(after[lane] as readonly Entry[]), expected);
        }
        const lost = lostIn(before, cuts, by).filter(({ lane }) => lane === 'subtitles').length;
        assert.equal(after.subtitles.length, before.subtitles.length - lost);
      },
    ),
    { numRuns: 150 },
  );
});

test('[C78] cuts are within their pauses in whole frames, for any trim and speed of the entry', () => {
  const by = rules();
  const entry: Entry = { file_field: 'voice', start: 2, duration: 5, trim_start: 1, speed: 2 };
  const pauses = [
    { start: 0, end: 1.5 },
    { start: 3.01, end: 3.99 },
    { start: 10.5, end: 40 },
    { start: 5, end: 5.01 },
  ];
  // Source 1 to 11 s is heard from frame 60 to 210, 15 frames a source second.
  assert.deepEqual(framesOfSource(entry, pauses, by), [
    { start: 60, end: 67 },
    { start: 91, end: 104 },
    { start: 203, end: 210 },
  ]);
});

test('[C78] the parts of a clip keep its entrance, exit and name, and the times of its volume points', () => {
  const by = rules();
  const points = [
    { at: 0, volume: 1 },
    { at: 2, volume: 0.5 },
    { at: 4, volume: 1 },
  ];
  const before = timelineOf({
    videos: [
      {
        ...{ id: 'host', file_field: 'voice', start: 0, duration: 10, fade_in: 0.5, fade_out: 1 },
        volume_points: points,
      },
    ],
    soundtracks: [{ id: 'm', file_field: 'music', role: 'music', start: 0, duration: 10, volume_points: points }],
    subtitles: [
      {
        id: 's',
        text: 'one two',
        start: 4,
        duration: 4,
        words: [
          { text: 'one', start: 4 },
          { text: 'two', start: 7 },
        ],
      },
    ],
  });
  const cuts = [
    { start: frames(0), end: frames(15) },
    { start: frames(150), end: frames(180) },
    { start: frames(285), end: frames(300) },
  ];
  const { videos, soundtracks, subtitles } = cutTime(before, cuts, by);
  assert.deepEqual(
    videos.map(({ id, start, duration, trim_start, fade_in, fade_out }) => [
      id,
      start,
      duration,
      trim_start,
      fade_in,
      fade_out,
    ]),
    [
      ['host', 0, 4.5, 0.5, 0.5, undefined],
      [undefined, 4.5, 3.5, 6, undefined, 1],
    ],
  );
  assert.deepEqual(
    videos[0]!.volume_points?.map(({ at }) => at),
    [0, 1.5, 3.5],
  );
  assert.deepEqual(soundtracks, [
    {
      ...{ id: 'm', file_field: 'music', role: 'music', start: 0, duration: 8 },
      volume_points: [
        { at: 0, volume: 1 },
        { at: 1.5, volume: 0.5 },
        { at: 3.5, volume: 1 },
      ],
    },
  ]);
  assert.deepEqual(
    subtitles[0]!.words?.map(({ start }) => start),
    [3.5, 5.5],
  );
  assert.equal(whyNoPauses(before, { lane: 'videos', index: 0 }, by), null);
  const looped = timelineOf({ soundtracks: [{ file_field: 'music', start: 0, duration: 90, loop: true }] });
  assert.match(whyNoPauses(looped, { lane: 'soundtracks', index: 0 }, by)!, /repeats/);
  assert.match(whyNoPauses(before, { lane: 'subtitles', index: 0 }, by)!, /no sound/);
});

test('[C78] a pause that continues in the next clip of a take is one cut, and the clips stay back to back', () => {
  const by = rules();
  const before = timelineOf({
    videos: [
      { id: 'one', file_field: 'voice', start: 0, duration: 10 },
      { id: 'two', file_field: 'voice', start: 10, duration: 10, trim_start: 10 },
      { id: 'next', file_field: 'more', start: 20, duration: 5, trim_start: 0.5 },
    ],
  });
  const pauses = { voice: [range(2, 3), range(9, 12)], more: [range(0, 1.5), range(4, 4.5)] };
  const cuts = joinedCuts(
    before.videos
      .toReversed()
      .flatMap((clip) => framesOfSource(clip as Entry, pauses[clip.file_field as keyof typeof pauses], by)),
  );
  assert.deepEqual(
    cuts.map(({ start, end }) => [start / 30, end / 30]),
    [
      [2, 3],
      [9, 12],
      [20, 21],
      [23.5, 24],
    ],
  );
  const after = cutTime(before, cuts, by).videos.map((clip) => [clip.start, clip.duration, clip.trim_start ?? 0]);
  assert.deepEqual(after, [
    [0, 2, 0],
    [2, 6, 3],
    [8, 8, 12],
    [16, 2.5, 1.5],
    [18.5, 1, 4.5],
  ]);
});

function range(start: number, end: number): Range<number> {
  return { start, end };
}
