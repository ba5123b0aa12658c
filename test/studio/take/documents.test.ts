import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { RenderPlan } from '../../../src/plan/model/render-plan.ts';
import { restAfter } from '../../../src/plan/reveal/board-state.ts';
import type { TimeRules } from '../../../src/studio/document/entries.ts';
import { doStep, startHistory, undoStep } from '../../../src/studio/document/history.ts';
import {
  drop,
  type Performance,
  pickUp,
  putBack,
  seenRows,
  undoLast,
  waitingItems,
} from '../../../src/studio/document/performance.ts';
import type { MediaEntry, Project } from '../../../src/studio/document/project.ts';
import { boardBefore, putRunningTake, putTake, putVoice } from '../../../src/studio/document/put-take.ts';
import { type PlanOutcome, planDocuments } from '../../../src/studio/preview/plan/plan-documents.ts';
import { frameAt, frameRate, frames } from '../../../src/time.ts';
import { DEFAULT_TIMELINE_LIMITS } from '../../../src/timeline/limits.ts';
import { DEFAULT_PRESETS } from '../../../src/timeline/presets.ts';
import { ranked } from '../document/project-builder.ts';

const CAM: MediaEntry = {
  ...{ name: 'Take 1.mp4', bytes: 100, type: 'video/mp4', kind: 'video', hash: 'a'.repeat(64), recorded: true },
  ...{ duration: 600, width: 1280, height: 720, alpha: false, sound: true },
};

const TAKE_1 = [{ field: 'take_1', from: 0 }];

function rulesAt(fps: number): TimeRules {
  return { rate: frameRate(fps), trimEndAs: 'out_point', sourceLength: () => CAM.duration };
}

/** A project with so many cards in its rows, and a camera among its files. */
function studio(cards: number, settings: object = {}): Project {
  const project = ranked(cards);
  return {
    ...project,
    settings: { ...project.settings, ...settings },
    media: { ...project.media, take_1: 'media/take_1.mp4' },
    studio: { ...project.studio, media: { ...project.studio.media, take_1: CAM } },
  };
}

function withTake(project: Project, take: Parameters<typeof putTake>[1], rules: TimeRules): Project {
  return doStep(startHistory(project), 'Record a take', (draft) => putTake(draft, take, rules)).project;
}

function planned({ tier_list, timeline_data, settings, studio: { media, running } }: Project) {
  const order = {
    documents: { tier_list, timeline_data, settings },
    facts: new Map(Object.entries(media)),
    subtitleTexts: new Map(),
    presets: DEFAULT_PRESETS,
    limits: DEFAULT_TIMELINE_LIMITS,
    presetNames: [DEFAULT_PRESETS[0].name],
    ...(running && { running }),
  };
  const outcome: PlanOutcome = planDocuments(order as never).next().value;
  assert.deepEqual(outcome.errors, []);
  return { ...outcome, plan: [...outcome.plans.values()][0] as RenderPlan };
}

function emptyAt(project: Project, at: number, rules: TimeRules): Performance {
  return { start: boardBefore(project, frames(at), rules), acts: [], up: null };
}

/** What a person does, and how long after the last thing. */
const SCRIPT = fc.array(
  fc.record({
    what: fc.constantFrom('up', 'drop', 'drop', 'up', 'back', 'undo'),
    card: fc.nat(30),
    row: fc.nat(3),
    index: fc.nat(6),
    after: fc.integer({ min: 1, max: 4000 }),
  }),
  { maxLength: 40 },
);

type Script = typeof SCRIPT extends fc.Arbitrary<infer T> ? T : never;

function performed(
  project: Project,
  begun: Performance,
  script: Script,
): { performance: Performance; seconds: number } {
  let at = 0;
  let performance = begun;
  for (const { what, card, row, index, after } of script) {
    at += after / 1000;
    const { items, rows } = project.tier_list;
    if (what === 'up') performance = pickUp(performance, items[card % items.length]!.id, at);
    else if (what === 'drop') performance = drop(performance, rows[row]!.id, at, index);
    else if (what === 'back') performance = putBack(performance);
    else performance = undoLast(performance);
  }
  return { performance, seconds: at + 1 };
}

/** What the planner has in its rows once so many events are over. */
function plannedRows(plan: RenderPlan, events: number): string[][] {
  const scene = plan.board!;
  const { lanes, shown } = restAfter(scene, events);
  return lanes
    .slice(0, -1)
    .map((lane) => lane.filter((item) => shown.has(item)).map((item) => scene.items[item]!.name));
}

function seenNames({ tier_list }: Project, performance: Pick<Performance, 'start' | 'acts'>): string[][] {
  const names = new Map(tier_list.items.map(({ id, name }) => [id, name!]));
  return seenRows(performance).map(({ items }) => items.map((id) => names.get(id)!));
}

describe('a take becomes documents', () => {
  test('[C44, C55] for any take, the documents plan, and every row shows what the performer saw', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(24, 29.97, 30, 60),
        fc.integer({ min: 1, max: 9 }),
        SCRIPT,
        SCRIPT,
        fc.nat(100),
        (fps, cards, first, second, percent) => {
          const rules = rulesAt(fps);
          const project = studio(cards, { fps });
          const take = performed(project, emptyAt(project, 0, rules), first);
          const clip = { files: TAKE_1, cuts: [take.seconds / 3] };
          const one = withTake(project, { at: frames(0), ...take, clip }, rules);
          checkRows(one, take.performance, 0);
          // A retake from somewhere within it.
          const at = frames(Math.round((frameAt(take.seconds, rules.rate) * percent) / 100));
          const begun = emptyAt(one, at, rules);
          const again = performed(one, begun, second);
          const two = withTake(one, { at, ...again, clip }, rules);
          const kept = two.timeline_data.tier_tiles.length - again.performance.acts.length;
          checkRows(two, again.performance, kept);
        },
      ),
      { numRuns: 60 },
    );
  });

  function checkRows(project: Project, performance: Performance, kept: number): void {
    const { plan } = planned(project);
    const { acts, start } = performance;
    for (let done = 0; done <= acts.length; done += 1) {
      const seen = seenNames(project, { start, acts: acts.slice(0, done) });
      assert.deepEqual(plannedRows(plan, kept + done), seen, `after ${done} acts`);
    }
  }

  test('[C55, R26] with enough time between them, cards and verdicts are at the exact frames', () => {
    fc.assert(
      fc.property(fc.constantFrom(24, 29.97, 30, 60), fc.array(fc.integer({ min: 2500, max: 9000 })), (fps, gaps) => {
        const rules = rulesAt(fps);
        const project = studio(Math.max(1, gaps.length), { fps });
        let performance = emptyAt(project, 0, rules);
        let at = 0.5;
        for (const [i, gap] of gaps.entries()) {
          performance = pickUp(performance, project.tier_list.items[i]!.id, at);
          performance = drop(performance, 'a', at + gap / 1000 / 5);
          at += gap / 1000;
        }
        const take = { at: frames(0), seconds: at, performance, clip: { files: TAKE_1, cuts: [] } };
        const after = withTake(project, take, rules);
        const { reveals, warnings } = planned(after);
        assert.deepEqual(
          warnings.filter(({ code }) => code.startsWith('tile.')),
          [],
        );
        for (const [i, act] of performance.acts.entries()) {
          const tile = after.timeline_data.tier_tiles[i]!;
          const up = frameAt(act.up, rules.rate);
          const course = reveals.byTile.get(tile.id)!;
          assert.equal(frameAt(tile.position, rules.rate), up);
          assert.equal(course.starts, 0);
          assert.equal(course.verdict, Math.max(frameAt(act.at, rules.rate) - up, frameAt(0.35, rules.rate)));
        }
      }),
      { numRuns: 40 },
    );
  });

  test('pauses make adjacent clips, on the timeline and in the file; the board lasts as long', () => {
    const rules = rulesAt(30);
    const project = studio(2);
    const performance = drop(pickUp(emptyAt(project, 0, rules), 'item_0', 1), 's', 3);
    const take = { at: frames(0), seconds: 20, performance, clip: { files: TAKE_1, cuts: [5.21, 12] } };
    const { videos, tier_blocks: blocks } = withTake(project, take, rules).timeline_data;
    assert.deepEqual(videos, [
      { id: 'take_1', file_field: 'take_1', start: 0, duration: 5.2 },
      { id: 'take_1-2', file_field: 'take_1', start: 5.2, duration: 6.8, trim_start: 5.2 },
      { id: 'take_1-3', file_field: 'take_1', start: 12, duration: 8, trim_start: 12 },
    ]);
    assert.deepEqual(
      blocks.map(({ start, duration }) => ({ start, duration })),
      [{ start: 0, duration: 20 }],
    );
  });

  test('a take in two files becomes two clips without a gap, each in time with the take', () => {
    fc.assert(
      fc.property(fc.constantFrom(1, 24, 29.97, 30, 60), fc.double({ min: 1, max: 18, noNaN: true }), (fps, split) => {
        const rules = rulesAt(fps);
        const files = [...TAKE_1, { field: 'take_2', from: split }];
        const { media } = studio(1).studio;
        const project = { ...studio(1), studio: { media: { ...media, take_2: CAM } } } as Project;
        const take = { at: frames(0), seconds: 20, performance: emptyAt(project, 0, rules), clip: { files, cuts: [] } };
        const [one, two, ...more] = withTake(project, take, rules).timeline_data.videos;
        assert.deepEqual(more, []);
        assert.equal(one!.file_field, 'take_1');
        assert.equal(two!.file_field, 'take_2');
        assert.equal(one!.trim_start, undefined);
        // The frame at which the second one begins shows what it has of that moment, which the first one had as well.
        const [begin, trim] = [two!.start!, two!.trim_start ?? 0];
        assert.ok(Math.abs(one!.duration! - begin) < 1e-6);
        assert.ok(Math.abs(begin - trim - split) < 2e-6, `${begin} shows ${trim} after ${split}`);
        assert.ok(trim < 1 / fps + 1e-6);
        assert.ok(Math.abs(begin + two!.duration! - 20) <= 0.5 / fps + 1e-6);
      }),
      { numRuns: 100 },
    );
  });

  test('a retake from the playhead and an appended take are in time: a verdict is at the frame that shows its moment', () => {
    const drops = [2.34, 7.01, 11.77];
    for (const fps of [24, 29.97, 60]) {
      const rules = rulesAt(fps);
      const { media } = studio(3).studio;
      const project = { ...studio(3), studio: { media: { ...media, take_2: CAM, take_3: CAM } } } as Project;
      const first = {
        at: frames(0),
        seconds: 20,
        performance: emptyAt(project, 0, rules),
        clip: { files: TAKE_1, cuts: [] },
      };
      const taken = withTake(project, first, rules);
      for (const at of [77, frameAt(20, rules.rate)]) {
        let performance = emptyAt(taken, at, rules);
        for (const [i, dropped] of drops.entries()) {
          performance = drop(pickUp(performance, `item_${i}`, dropped - 1), 's', dropped);
        }
        const files = [
          { field: 'take_2', from: 0 },
          { field: 'take_3', from: 6.013 },
        ];
        const take = { at: frames(at), seconds: 14, performance, clip: { files, cuts: [9.1] } };
        const { videos, tier_tiles: tiles } = withTake(taken, take, rules).timeline_data;
        for (const [i, dropped] of drops.entries()) {
          const { stamp_at: stamp } = tiles.find((tile) => tile.tier_item_id === `item_${i}`)!;
          const clip = videos.findLast(({ start }) => start! <= stamp!)!;
          const { from } = files.find(({ field }) => field === clip.file_field)!;
          const shown = from + (clip.trim_start ?? 0) + stamp! - clip.start!;
          assert.ok(Math.abs(shown - dropped) <= 0.5 / fps + 3e-6, `${dropped} s is stamped at ${shown} s of the take`);
        }
      }
    }
  });

  test('a voice-over in two files is two sounds without a gap, and nothing else changes', () => {
    const rules = rulesAt(30);
    const project = studio(2);
    const voice = { ...CAM, kind: 'audio', role: 'voice' } as MediaEntry;
    const { media } = project.studio;
    const own = { ...project, studio: { media: { ...media, take_1: voice, take_2: voice } } } as Project;
    const files = [...TAKE_1, { field: 'take_2', from: 5.01 }];
    const take = { at: frames(30), seconds: 9, performance: emptyAt(own, 30, rules), clip: { files, cuts: [] } };
    const { project: after } = doStep(startHistory(own), 'Record', (draft) => putVoice(draft, take, rules));
    assert.deepEqual(after.timeline_data.soundtracks.slice(project.timeline_data.soundtracks.length), [
      { id: 'take_1', file_field: 'take_1', start: 1, duration: 5.033333, role: 'voice' },
      { id: 'take_2', file_field: 'take_2', start: 6.033333, duration: 3.966667, trim_start: 0.023333, role: 'voice' },
    ]);
    assert.equal(after.timeline_data.tier_tiles, own.timeline_data.tier_tiles);
  });

  test('a retake keeps everything before it; a card that it does not rank stays unranked', () => {
    const rules = rulesAt(30);
    const project = studio(3);
    let first = emptyAt(project, 0, rules);
    for (const [i, at] of [2, 8, 14].entries()) first = drop(pickUp(first, `item_${i}`, at), 's', at + 2);
    const one = withTake(
      project,
      { at: frames(0), seconds: 20, performance: first, clip: { files: TAKE_1, cuts: [] } },
      rules,
    );
    const begun = emptyAt(one, 12 * 30, rules);
    assert.deepEqual(waitingItems(one.tier_list, begun), ['item_2']);
    const moved = drop(pickUp(begun, 'item_0', 1), 'b', 2);
    const two = withTake(
      one,
      { at: frames(12 * 30), seconds: 6, performance: moved, clip: { files: TAKE_1, cuts: [] } },
      rules,
    );
    const { videos, tier_tiles: tiles, tier_blocks: blocks } = two.timeline_data;
    assert.deepEqual(
      videos.map(({ start, duration }) => [start, duration]),
      [
        [0, 12],
        [12, 6],
      ],
    );
    assert.deepEqual(
      tiles.map(({ tier_item_id: item, position, to_row: row }) => [item, position, row]),
      [
        ['item_0', 2, undefined],
        ['item_1', 8, undefined],
        ['item_0', 14, 'b'],
      ],
    );
    assert.deepEqual(
      two.tier_list.rows.slice(0, 2).map(({ item_ids: ids }) => ids),
      [['item_0', 'item_1'], []],
    );
    assert.deepEqual(
      blocks.map(({ start, duration }) => [start, duration]),
      [[0, 18]],
    );
  });

  test('a take at the end keeps the first one: its clips, captions, ranking and reveals', () => {
    const rules = rulesAt(30);
    const project = studio(3);
    const first = drop(pickUp(emptyAt(project, 0, rules), 'item_0', 2), 's', 4);
    const clip = { files: TAKE_1, cuts: [] };
    const one = withTake(project, { at: frames(0), seconds: 10, performance: first, clip }, rules);
    const said = { id: 'said', text: 'First', start: 9, duration: 1 };
    const captioned = { ...one, timeline_data: { ...one.timeline_data, subtitles: [said] } } as Project;
    const end = frames(10 * 30);
    const more = drop(pickUp(emptyAt(captioned, end, rules), 'item_1', 1), 's', 3, 0);
    const { timeline_data, tier_list } = withTake(captioned, { at: end, seconds: 6, performance: more, clip }, rules);
    assert.deepEqual(timeline_data.videos.slice(0, -1), one.timeline_data.videos);
    const { start, duration } = timeline_data.videos.at(-1)!;
    assert.deepEqual([start, duration], [10, 6]);
    assert.deepEqual(timeline_data.subtitles, [said]);
    assert.deepEqual(timeline_data.tier_tiles[0], one.timeline_data.tier_tiles[0]);
    assert.deepEqual(
      timeline_data.tier_tiles.map(({ tier_item_id: item, position, stamp_at: at }) => [item, position, at]),
      [
        ['item_0', 2, 4],
        ['item_1', 11, 13],
      ],
    );
    assert.deepEqual(tier_list.rows[0]!.item_ids, ['item_1', 'item_0']);
    assert.deepEqual(
      timeline_data.tier_blocks.map((block) => [block.start, block.duration]),
      [[0, 16]],
    );
  });

  test('over a recording that plays, clips stay and reveals are new; a project with pops has no verdicts', () => {
    const rules = rulesAt(30);
    const project = studio(2, { reveal: 'pop' });
    const performance = drop(pickUp(emptyAt(project, 0, rules), 'item_1', 1), 'c', 2.5);
    const after = withTake(project, { at: frames(0), seconds: 10, performance, clip: null }, rules);
    assert.equal(after.timeline_data.videos, project.timeline_data.videos);
    assert.deepEqual(
      after.timeline_data.tier_tiles.map(({ id: _, ...tile }) => tile),
      [{ tier_item_id: 'item_1', position: 2.5 }],
    );
    assert.deepEqual(
      planned(after).warnings.map(({ code }) => code),
      ['media.unreferenced'],
    );
  });

  test('while a take runs, the card that is held up has no verdict, and the counter expects all cards', () => {
    const rules = rulesAt(30);
    const project = studio(4, { counter: true });
    const live = (performance: Performance) => {
      const take = { at: frames(0), seconds: 0, performance };
      const { project: shown } = doStep(startHistory(project), 'Take', (draft) =>
        putRunningTake(draft, take, true, rules),
      );
      const { events, counter } = planned(shown).plan.board!;
      const undecided = events.filter((event) => event.isUndecided).map(({ item, verdict }) => ({ item, verdict }));
      return { events: events.length, undecided, counter };
    };
    const empty = emptyAt(project, 0, rules);
    const up = pickUp(empty, 'item_2', 1);
    assert.deepEqual(live(empty), { events: 0, undecided: [], counter: 4 });
    assert.deepEqual(live(up), { events: 1, undecided: [{ item: 2, verdict: 240 * 30 }], counter: 4 });
    assert.deepEqual(live(drop(up, 'b', 2)), { events: 1, undecided: [], counter: 4 });
    // A card that was ranked before shows its row until it is dropped again.
    assert.deepEqual(live(pickUp(drop(up, 'b', 2), 'item_2', 3)), { events: 1, undecided: [], counter: 4 });
  });

  test('the whole take is one undo step', () => {
    const rules = rulesAt(30);
    const project = studio(4);
    const performance = drop(pickUp(emptyAt(project, 0, rules), 'item_1', 1), 'c', 2.5);
    const history = doStep(startHistory(project), 'Record a take', (draft) =>
      putTake(draft, { at: frames(0), seconds: 10, performance, clip: { files: TAKE_1, cuts: [] } }, rules),
    );
    assert.notDeepEqual(history.project, project);
    assert.deepEqual(undoStep(history).project, project);
  });
});
