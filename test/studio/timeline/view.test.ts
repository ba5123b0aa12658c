import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { TimeRules } from '../../../src/studio/document/entries.ts';
import { entriesSelection, toggledEntries, withEntries } from '../../../src/studio/document/selection.ts';
import { linesOf, restacked, seenIn } from '../../../src/studio/timeline/view/lines.ts';
import { SNAP_PX, snapPlaces, snapped } from '../../../src/studio/timeline/view/snapping.ts';
import {
  fitted,
  pinched,
  secondsAt,
  ticks,
  timeLabel,
  xOf,
  zoomedAt,
} from '../../../src/studio/timeline/view/time-scale.ts';
import {
  entriesWithin,
  entryBoxes,
  FINGER,
  gainAtHeight,
  handlePlaces,
  hitAt,
  layoutTimeline,
  levelShare,
  RULER_PX,
  thinned,
} from '../../../src/studio/timeline/view/timeline-layout.ts';
import { frameRate, frames } from '../../../src/time.ts';
import { timelineOf } from './timeline-of.ts';

const RULES: TimeRules = { rate: frameRate(30), trimEndAs: 'out_point', sourceLength: () => 60 };

test('zooming keeps the time under the cursor in place', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1000, noNaN: true }),
      fc.double({ min: 0.2, max: 5, noNaN: true }),
      (x, factor) => {
        const scale = { from: 300, pxPerSecond: 10 };
        const zoomed = zoomedAt(scale, x, factor);
        if (zoomed.from > 0) assert.ok(Math.abs(xOf(secondsAt(x, scale), zoomed) - x) < 1e-6);
      },
    ),
  );
  const all = fitted(7200, 1000);
  assert.ok(xOf(7200, all) <= 1000 && xOf(7200, all) > 900);
});

test('two fingers: the time between them stays between them, however they spread and move', () => {
  const scale = { from: 300, pxPerSecond: 10 };
  const at = (x: number) => ({ x, y: 40 });
  const apart = pinched(scale, [at(100), at(200)], [at(150), at(350)]);
  assert.equal(apart.pxPerSecond, 20);
  assert.equal(secondsAt(250, apart), secondsAt(150, scale));
  assert.deepEqual(pinched(scale, [at(100), at(200)], [at(130), at(230)]), { from: 297, pxPerSecond: 10 });
});

test('labels of a ruler do not overlap, and times have the usual notation', () => {
  for (const pxPerSecond of [0.1, 1, 16, 90, 700]) {
    const words = ticks({ from: 3, pxPerSecond }, 1200).filter(({ label }) => label !== null);
    for (let i = 1; i < words.length; i += 1) assert.ok((words[i]!.at - words[i - 1]!.at) * pxPerSecond >= 80);
    assert.ok(words.length <= 15);
  }
  assert.deepEqual(
    [timeLabel(7), timeLabel(750), timeLabel(3723), timeLabel(0.25, true)],
    ['0:07', '12:30', '1:02:03', '0:00.25'],
  );
});

test('[R6] clips that overlap have their own lines, the later drawn above; others share one', () => {
  const timeline = timelineOf({
    videos: [
      { file_field: 'back', start: 0, duration: 10 },
      { file_field: 'host', start: 2, duration: 4 },
      { file_field: 'back', start: 10, duration: 10 },
      { file_field: 'host', start: 12, duration: 4 },
    ],
  });
  const lines = linesOf(timeline, RULES).filter(({ lane }) => lane === 'videos');
  assert.deepEqual(
    lines.map(({ placed }) => placed.map(({ index }) => index)),
    [
      [1, 3],
      [0, 2],
    ],
  );
});

test('lines never hold two entries at the same time, and keep the drawing order', () => {
  const slot = fc.record({ start: fc.integer({ min: 0, max: 40 }), duration: fc.integer({ min: 1, max: 9 }) });
  fc.assert(
    fc.property(fc.array(slot, { maxLength: 30 }), (slots) => {
      const videos = slots.map((entry) => ({ file_field: 'a', ...entry }));
      const lines = linesOf(timelineOf({ videos }), RULES).filter(({ lane }) => lane === 'videos');
      const layerOf = new Map(lines.flatMap(({ layer, placed }) => placed.map(({ index }) => [index, layer])));
      assert.equal(layerOf.size, slots.length);
      for (let late = 0; late < slots.length; late += 1) {
        for (let early = 0; early < late; early += 1) {
          const [a, b] = [slots[early]!, slots[late]!];
          const overlap = a.start < b.start + b.duration && b.start < a.start + a.duration;
          if (overlap) assert.ok(layerOf.get(late)! > layerOf.get(early)!);
        }
      }
    }),
  );
});

test('[R6] an entry dragged to another line is in front of entries further back, and behind the rest', () => {
  const [back, host, badge, later] = [
    { file_field: 'back', start: 0, duration: 10 },
    { file_field: 'host', start: 2, duration: 4 },
    { file_field: 'badge', start: 3, duration: 2 },
    { file_field: 'later', start: 20, duration: 2 },
  ] as const;
  const timeline = timelineOf({ videos: [back, host, badge, later] });
  const order = (index: number, layer: number) =>
    restacked(timeline, { lane: 'videos', index }, layer, RULES).videos!.map(({ file_field }) => file_field);
  assert.deepEqual(order(2, 0), ['badge', 'back', 'host', 'later']);
  assert.deepEqual(order(2, 1), ['back', 'badge', 'host', 'later']);
  assert.deepEqual(order(0, 2), ['host', 'badge', 'back', 'later']);
  assert.equal(restacked(timeline, { lane: 'videos', index: 2 }, 2, RULES), timeline);
  assert.equal(restacked(timeline, { lane: 'videos', index: 3 }, 2, RULES), timeline, 'what meets nothing stays');
});

test('two hours of clips: only visible entries are examined', () => {
  const videos = Array.from({ length: 2000 }, (_, index) => ({ file_field: 'a', start: index * 3.6, duration: 3.6 }));
  const { boxes } = layoutTimeline(timelineOf({ videos }), RULES);
  const box = boxes.find(({ line }) => line.lane === 'videos')!;
  assert.equal(box.line.placed.length, 2000);
  const seen = entryBoxes(box, { from: 3600, pxPerSecond: 20 }, 1200, RULES);
  assert.ok(seen.length <= 1200 / 20 / 3.6 + 3, `${seen.length} are looked at`);
  let looked = 0;
  const counted = {
    ...box.line,
    placed: new Proxy(box.line.placed, {
      get: (list, key) => {
        if (/^\d+$/.test(String(key))) looked += 1;
        return Reflect.get(list, key);
      },
    }),
  };
  seenIn(counted, { start: 108_000, end: 109_800 });
  assert.ok(looked < 60, `${looked} entries were looked at`);
});

test('dragging snaps to edges, reveals, the playhead and seconds, within eight pixels', () => {
  const timeline = timelineOf({
    videos: [
      { file_field: 'a', start: 1, duration: 2 },
      { file_field: 'a', start: 4.2, duration: 1 },
    ],
    tier_tiles: [{ tier_item_id: 'x', position: 3.7 }],
  });
  const places = snapPlaces(timeline, RULES, { except: [{ lane: 'videos', index: 1 }], playhead: frames(200) });
  assert.deepEqual(places, [0, 30, 90, 111, 200]);
  const zoom = { framePx: 2, framesASecond: 30 };
  assert.deepEqual(snapped([126, 156], -12, places, zoom), { by: -15, at: 111 });
  assert.deepEqual(snapped([126, 156], 42, places, zoom), { by: 44, at: 200 });
  assert.deepEqual(snapped([126, 156], 112, places, zoom), { by: 114, at: 240 });
  assert.deepEqual(snapped([126, 157], 40, [], zoom), { by: 40, at: null });
  assert.ok(SNAP_PX === 8);
});

test('edges, handles and bodies are distinguished', () => {
  const timeline = timelineOf({ audios: [{ file_field: 'a', start: 1, duration: 4, fade_in: 1 }] });
  const layout = layoutTimeline(timeline, RULES);
  const scale = { from: 0, pxPerSecond: 50 };
  const { top, height } = layout.boxes.find(({ line }) => line.lane === 'audios')!;
  const at = (x: number, y: number, selected = false) => {
    const hit = hitAt(layout, { x, y: RULER_PX + top + y, scrollY: 0 }, scale, {
      rules: RULES,
      selected: () => selected,
    });
    return hit.kind === 'entry' ? hit.part : hit.kind;
  };
  assert.equal(at(52, height / 2), 'start');
  assert.equal(at(248, height / 2), 'end');
  assert.equal(at(150, height / 2), 'body');
  assert.equal(at(100, 4, true), 'fade_in');
  assert.equal(at(100, 4), 'body');
  assert.equal(at(400, 4), 'nothing');
  // A finger reaches further, and beside what it has in hand; nothing else.
  const finger = (x: number, y: number, isSelected: boolean) => {
    const point = { x, y: RULER_PX + top + y, scrollY: 0 };
    const hit = hitAt(layout, point, scale, { rules: RULES, selected: () => isSelected, reach: FINGER });
    return hit.kind === 'entry' ? hit.part : hit.kind;
  };
  assert.deepEqual([finger(40, 30, true), finger(262, 30, true), finger(65, 30, true)], ['start', 'end', 'start']);
  assert.deepEqual([finger(40, 30, false), finger(150, 30, false)], ['nothing', 'body']);
  assert.equal(hitAt(layout, { x: 4, y: 3, scrollY: 0 }, scale, { rules: RULES, selected: () => false }).kind, 'ruler');
});

test('levels and heights convert into each other', () => {
  for (const gain of [0, 0.25, 0.5, 1, 2, 4]) {
    assert.ok(Math.abs(gainAtHeight({ y: 0, height: 1 }, 1 - levelShare(gain)) - gain) < 1e-9);
  }
});

test('[C17] the line of a level is at its gain, in either unit', () => {
  const line = (volume: number, volumeAs: 'gain' | 'percent') => {
    const { boxes } = layoutTimeline(
      timelineOf({ audios: [{ file_field: 'a', start: 0, duration: 1, volume }] }),
      RULES,
    );
    const audios = boxes.find(({ line }) => line.lane === 'audios')!;
    const scale = { from: 0, pxPerSecond: 50 };
    const [box] = entryBoxes(audios, scale, 100, RULES);
    return handlePlaces(box!, scale, { volumeAs }).volume;
  };
  assert.equal(line(150, 'percent'), line(1.5, 'gain'));
});

test('two thousand entries on a thousand pixels are at most one stroke per pixel; special ones are drawn in full', () => {
  const boxes = (count: number, apart: number, width: number) =>
    Array.from({ length: count }, (_, index) => ({ index, x: index * apart, width }));
  const dense = thinned(boxes(2000, 0.5, 20), ({ index }) => index === 1200);
  assert.ok(dense.strokes.length <= 1000, `${dense.strokes.length} strokes`);
  // The last is covered by nothing.
  assert.deepEqual(
    dense.entries.map(({ index }) => index),
    [1999, 1200],
  );
  const apart = thinned(boxes(100, 25, 20), () => false);
  assert.deepEqual([apart.strokes.length, apart.entries.length], [0, 100]);
  // Too narrow for a letter: strokes as wide as the entries.
  const narrow = thinned(boxes(100, 5, 4), () => false);
  assert.deepEqual([narrow.strokes.length, narrow.entries.length], [100, 0]);
  assert.ok(narrow.strokes.every(({ width }) => width === 4));
});

test('a marquee selects what it touches, in every line that it crosses and no other', () => {
  const timeline = timelineOf({
    tier_blocks: [{ start: 0, duration: 10 }],
    tier_tiles: [{ tier_item_id: 'a', position: 6 }],
    videos: [
      { file_field: 'clip', start: 0, duration: 2 },
      { file_field: 'clip', start: 4, duration: 2 },
    ],
  });
  const layout = layoutTimeline(timeline, RULES);
  const taken = (start: number, end: number, top: number, bottom: number) =>
    entriesWithin(layout, { time: { start, end }, down: { start: top, end: bottom } }, 20, RULES).map(
      ({ lane, index }) => `${lane} ${index}`,
    );
  const [board, tiles, clips] = layout.boxes;
  assert.deepEqual(taken(2.5, 3.5, clips!.top, clips!.top + 20), []);
  assert.deepEqual(taken(1.5, 3.5, clips!.top + 10, clips!.top + 20), ['videos 0']);
  assert.deepEqual(taken(1.5, 4.5, clips!.top + 10, clips!.top + 20), ['videos 0', 'videos 1']);
  // A reveal's marker reaches further than its moment.
  assert.deepEqual(taken(7, 8, tiles!.top + 10, clips!.top + 10), ['tier_tiles 0']);
  assert.deepEqual(taken(0, 9, board!.top + 10, layout.height), [
    ...['tier_blocks 0', 'tier_tiles 0', 'videos 0', 'videos 1'],
  ]);
});

test('entries are added to a selection and removed from it; none is in it twice', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((id) => ({ lane: 'videos', id }) as const);
  assert.deepEqual(toggledEntries([a!, b!], [b!, c!]), [a, c]);
  assert.deepEqual(withEntries([a!, b!], [b!, c!]), [a, b, c]);
  assert.deepEqual(entriesSelection([]), { kind: 'none' });
});
