import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { TimeRules } from '../../../src/studio/document/entries.ts';
import { moveEntries } from '../../../src/studio/document/move-entries.ts';
import type { TimelineData } from '../../../src/studio/document/project.ts';
import {
  currentCourse,
  heldFrames,
  type RevealCourses,
  shortenedBy,
  verdictOf,
  withVerdict,
} from '../../../src/studio/document/reveal-course.ts';
import { revealAt, revealAtSecond } from '../../../src/studio/document/reveals.ts';
import { planDocuments } from '../../../src/studio/preview/plan/plan-documents.ts';
import { entryBoxes, hitAt, layoutTimeline, RULER_PX } from '../../../src/studio/timeline/view/timeline-layout.ts';
import { frameAt, frameRate, frames } from '../../../src/time.ts';
import type { RawTile } from '../../../src/timeline/document-schemas.ts';
import { DEFAULT_TIMELINE_LIMITS } from '../../../src/timeline/limits.ts';
import { DEFAULT_PRESETS } from '../../../src/timeline/presets.ts';
import { timelineOf } from './timeline-of.ts';

const RATES = [24, 29.97, 30, 59.94, 60];

function rules(fps = 30): TimeRules {
  return { rate: frameRate(fps), trimEndAs: 'out_point', sourceLength: () => null };
}

function timeline(tiles: readonly Partial<RawTile>[], seconds = 60): TimelineData {
  return timelineOf({
    tier_blocks: [{ id: 'b', start: 0, duration: seconds }],
    tier_tiles: tiles.map((tile, i) => ({ id: `t${i}`, tier_item_id: `i${i}`, position: 1, ...tile })),
  });
}

/** What the studio's plan worker says of the reveals, and their warnings. */
function planned(data: TimelineData, settings: object = {}) {
  const items = data.tier_tiles.map((_, i) => ({ id: `i${i}` }));
  const tier_list = {
    rows: [
      { id: 's', label: 'S', item_ids: items.map(({ id }) => id) },
      { id: 'f', label: 'F', item_ids: [] },
    ],
    items,
  };
  const order = {
    documents: { tier_list, timeline_data: data, settings: { reveal: 'spotlight', ...settings } },
    facts: new Map(),
    subtitleTexts: new Map(),
    presets: DEFAULT_PRESETS,
    limits: DEFAULT_TIMELINE_LIMITS,
    presetNames: [DEFAULT_PRESETS[0].name],
  };
  const { value } = planDocuments(order as never).next();
  assert.deepEqual(value.errors, []);
  return value as { reveals: RevealCourses; warnings: readonly { code: string }[] };
}

function courseOf(data: TimelineData, settings: object = {}, id = 't0') {
  return planned(data, settings).reveals.byTile.get(id)!;
}

const FIRST = { lane: 'tier_tiles', index: 0 } as const;

test('[C55, R26] a verdict that is moved to a frame is planned there, by hold or by stamp_at, at every rate', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...RATES),
      fc.integer({ min: 0, max: 2000 }),
      fc.constantFrom({}, { hold: 2 }, { stamp_at: 9 }, { reveal: 'spotlight', to_row: 'f', hold: 1 } as const),
      (fps, to, own) => {
        const [by, settings] = [rules(fps), { fps }];
        const before = timeline([{ position: 3, ...own }], 300);
        const course = courseOf(before, settings);
        const after = withVerdict(before, FIRST, to, { course, rules: by });
        const tile = after.tier_tiles[0]!;
        assert.equal(tile.stamp_at === undefined, !('stamp_at' in own));
        const wanted = Math.max(to, frameAt(0.35, by.rate));
        assert.equal(courseOf(after, settings).verdict, wanted);
        // What is seen before the plan comes is what the plan says.
        assert.equal(verdictOf(currentCourse(course, tile, by)), wanted);
        assert.deepEqual(currentCourse(courseOf(after, settings), tile, by), courseOf(after, settings));
      },
    ),
    { numRuns: 60 },
  );
});

test('[C55] a verdict comes 0.35 s after its tile at the earliest, 600.35 s at the latest', () => {
  const before = timeline([{ position: 2 }]);
  const course = courseOf(before);
  const hold = (to: number) => withVerdict(before, FIRST, to, { course, rules: rules() }).tier_tiles[0]!.hold;
  assert.deepEqual([hold(-50), hold(0)], [0.016667, 0.016667]);
  assert.equal(hold(1e6), 600);
  const stamped = timeline([{ position: 2, stamp_at: 5 }]);
  const options = { course: courseOf(stamped), rules: rules() };
  assert.equal(withVerdict(stamped, FIRST, 0, options).tier_tiles[0]!.stamp_at, 2.366667);
});

test('[C55] a tile that is moved takes its stamp_at along', () => {
  const before = timeline([{ position: 2, stamp_at: 5 }]);
  const moved = moveEntries(before, [FIRST], 45, rules()).tier_tiles[0]!;
  assert.deepEqual([moved.position, moved.stamp_at], [3.5, 6.5]);
  const again = revealAt(before, 'i0', frames(300), rules()).tier_tiles[0]!;
  assert.deepEqual([again.position, again.stamp_at], [10, 13]);
  const typed = revealAtSecond(before, 'i0', 2.1).tier_tiles[0]!;
  assert.deepEqual([typed.position, typed.stamp_at], [2.1, 5.1]);
});

test("[R26] the plan's shortening of a hold is known, and where it leaves no room", () => {
  const { rate } = rules();
  const close = timeline([{ position: 1 }, { position: 2.5 }]);
  const first = courseOf(close);
  assert.deepEqual([first.style, shortenedBy(first)], ['spotlight', frameAt(1.25, rate) - first.verdict]);
  assert.ok(shortenedBy(first) > 0);
  assert.equal(shortenedBy(courseOf(close, {}, 't1')), 0);
  const tooClose = planned(timeline([{ position: 1 }, { position: 1.5 }]));
  const popped = tooClose.reveals.byTile.get('t0')!;
  assert.equal(popped.style, 'pop');
  assert.equal(verdictOf(popped), frameAt(1.25, rate));
  assert.equal(heldFrames(popped, rate), frameAt(1.25, rate) - frameAt(0.35, rate));
  assert.deepEqual(
    tooClose.warnings.map(({ code }) => code),
    ['tile.no_room'],
  );
  // Other styles have no verdict to be moved.
  assert.equal(courseOf(timeline([{ reveal: 'slam' }])).asked, null);
  assert.equal(courseOf(timeline([{ to_row: 'f' }])).asked, null);
  assert.equal(courseOf(timeline([{ to_row: 'f', reveal: 'spotlight' }])).style, 'spotlight');
});

test('[R26] the bar of a spotlight reaches to its landing, and is visible and clickable over its whole length', () => {
  const data = timeline([{ position: 1, hold: 30 }, { position: 40 }]);
  const reveals = { courses: planned(data).reveals, usualHold: undefined };
  const [layout, scale] = [layoutTimeline(data, rules()), { from: 20, pxPerSecond: 20 }];
  const line = layout.boxes.find(({ line }) => line.lane === 'tier_tiles')!;
  const [box] = entryBoxes(line, scale, 100, rules(), reveals);
  assert.equal(box?.ref.index, 0);
  const { lands } = reveals.courses.byTile.get('t0')!;
  assert.ok(Math.abs(box.width - (lands / 30) * 20) < 1e-6 && lands / 30 > 30);
  const point = { x: 50, y: RULER_PX + line.top + 10, scrollY: 0 };
  const hit = hitAt(layout, point, scale, { rules: rules(), selected: () => false, reveals });
  assert.deepEqual(hit.kind === 'entry' && [hit.box.ref.index, hit.part], [0, 'body']);
  assert.equal(hitAt(layout, point, scale, { rules: rules(), selected: () => false }).kind, 'nothing');
});
