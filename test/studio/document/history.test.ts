import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Draft } from 'immer';
import { addFiles } from '../../../src/studio/document/add-files.ts';
import { isAutomatic } from '../../../src/studio/document/automatic-reveals.ts';
import {
  addRow,
  changeItem,
  changeRow,
  itemsIn,
  moveRow,
  placeItems,
  removeItems,
  removeRow,
} from '../../../src/studio/document/board-commands.ts';
import {
  doStep,
  Gesture,
  hashesIn,
  type Recipe,
  redoStep,
  startHistory,
  stepsToKeep,
  undoStep,
} from '../../../src/studio/document/history.ts';
import { removeMedia } from '../../../src/studio/document/media-commands.ts';
import { removeEntries } from '../../../src/studio/document/move-entries.ts';
import { EMPTY_PROJECT, type MediaEntry, type Project } from '../../../src/studio/document/project.ts';
import { editTimeline } from '../../../src/studio/session/edit-timeline.ts';
import { decided, openProject } from '../../../src/studio/session/session.ts';
import { picture, ranked } from './project-builder.ts';

/** Anything a person can do to the board and the media, chosen by numbers. */
const step = fc
  .tuple(fc.nat(9), fc.nat(30), fc.nat(30), fc.nat(30))
  .map(([what, a, b, c]) => (project: Project): Recipe => {
    const { rows, items } = project.tier_list;
    const row = rows[a % Math.max(1, rows.length)]?.id ?? null;
    const ids = items.filter((_, i) => i % 3 === b % 3).map(({ id }) => id);
    const item = items[b % Math.max(1, items.length)]?.id ?? '';
    const field = Object.keys(project.media)[c % Math.max(1, Object.keys(project.media).length)] ?? '';
    const all: readonly Recipe[] = [
      (draft) => placeItems(draft, [item].filter(Boolean), { row, index: c }),
      (draft) => placeItems(draft, ids, { row, index: c % 4 }),
      (draft) => placeItems(draft, ids, { row: null, index: c }),
      (draft) => void addRow(draft),
      (draft) => removeRow(draft, row ?? ''),
      (draft) => moveRow(draft, row ?? '', c % 7),
      (draft) => changeRow(draft, row ?? '', (each) => Object.assign(each, { label: `L${c}`, color: '#123456' })),
      (draft) => removeItems(draft, ids),
      (draft) =>
        void addFiles(draft, [picture(`more-${c}.png`), { ...picture(`clip-${b}.mp4`), kind: 'video', duration: 2 }]),
      (draft) => {
        removeMedia(draft, field);
        changeItem(draft, item, (each) => {
          each.name = `Item ${c}`;
        });
      },
    ];
    return all[what]!;
  });

test('everything can be undone, back to the identical document, and redone', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const before = ranked(12);
      let history = startHistory(before);
      const seen = [before];
      for (const make of steps) {
        const next = doStep(history, 'a step', make(history.project));
        if (next !== history) seen.push(next.project);
        history = next;
      }
      const last = history.project;
      for (let at = seen.length - 1; at >= 0; at -= 1) {
        assert.deepEqual(history.project, seen[at]);
        history = undoStep(history);
      }
      assert.deepEqual(history.project, before);
      while (history.undone.length > 0) history = redoStep(history);
      assert.deepEqual(history.project, last);
    }),
    { numRuns: 60 },
  );
});

test('undo and redo after a reload give the same documents, at any step', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), fc.nat(30), (steps, back) => {
      let history = startHistory(ranked(12));
      for (const make of steps) history = doStep(history, 'a step', make(history.project));
      for (let i = 0; i < back; i += 1) history = undoStep(history);
      // As IndexedDB keeps them: one value, in which what the two share is shared.
      const kept = structuredClone({ project: history.project, steps: stepsToKeep(history) });
      let reloaded = startHistory(kept.project, kept.steps);
      for (const go of [undoStep, redoStep]) {
        const most = history.done.length + history.undone.length;
        for (let i = 0; i <= most; i += 1) {
          assert.deepEqual(reloaded, history);
          history = go(history);
          reloaded = go(reloaded);
        }
      }
    }),
    { numRuns: 40 },
  );
});

test('the number of kept steps is limited, the nearest ones stay, and the files they restore are known', () => {
  const { studio } = ranked(1);
  const [field] = Object.keys(studio.media);
  let history = doStep(startHistory(ranked(1)), 'Remove', (draft) => removeMedia(draft, field!));
  assert.ok(hashesIn(history).includes(studio.media[field!]!.hash));
  for (let i = 0; i < 300; i += 1) {
    history = doStep(history, `Step ${i}`, (draft) => void Object.assign(draft.tier_list, { title: `${i}` }));
  }
  const { done } = stepsToKeep(history);
  assert.equal(done.length, 200);
  assert.equal(done.at(-1)!.label, 'Step 299');
  const large = doStep(startHistory(ranked(1)), 'Many', (draft) => {
    draft.timeline_data.subtitles = Array.from({ length: 40_000 }, (_, i) => ({
      id: `s${i}`,
      start: i,
      duration: 1,
      text: 'a',
    }));
  });
  const replaced = doStep(large, 'Others', (draft) => {
    draft.timeline_data.subtitles = [];
  });
  assert.equal(stepsToKeep(large).done.length, 1, 'what the project has itself weighs next to nothing');
  assert.equal(stepsToKeep(replaced).done.length, 0);
});

test('no item is lost or doubled, whatever changes the board', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let history = startHistory(ranked(9));
      for (const make of steps) history = doStep(history, 'a step', make(history.project));
      const { tier_list } = history.project;
      const shown = [null, ...tier_list.rows.map(({ id }) => id)].flatMap((row) => itemsIn(history.project, row));
      assert.deepEqual(shown.map(({ id }) => id).sort(), tier_list.items.map(({ id }) => id).sort());
    }),
    { numRuns: 60 },
  );
});

test('a drag is one step, whatever its path; a cancelled drag is none', () => {
  const start = startHistory(ranked(3));
  const gesture = new Gesture(start);
  for (const index of [0, 1, 2, 1]) {
    gesture.change('Move', (draft) => placeItems(draft, ['item_0'], { row: 'b', index }));
  }
  const after = gesture.end();
  assert.equal(after.done.length, 1);
  assert.deepEqual(
    itemsIn(after.project, 'b').map(({ id }) => id),
    ['item_2', 'item_0'],
  );
  assert.deepEqual(undoStep(after).project, start.project);
  assert.equal(gesture.cancel(), start);
});

test('undo restores the same objects, not copies: cached results for them stay valid', () => {
  const start = doStep(startHistory(EMPTY_PROJECT), 'Add boards', (draft) => {
    draft.timeline_data.tier_blocks = [0, 5].map((at) => ({ id: `b${at}`, start: at, duration: 5 }));
  });
  const { tier_blocks } = start.project.timeline_data;
  const moved = doStep(start, 'Move', (draft) => {
    draft.timeline_data.tier_blocks = [tier_blocks[0]!, { ...tier_blocks[1]!, start: 7 }];
  });
  const undone = undoStep(moved);
  assert.equal(undone.project.timeline_data.tier_blocks, tier_blocks);
  assert.equal(redoStep(undone).project.timeline_data.tier_blocks, moved.project.timeline_data.tier_blocks);
});

test('an edit that changes nothing is not a step', () => {
  const start = startHistory(ranked(3));
  assert.equal(
    doStep(start, 'Nothing', () => {}),
    start,
  );
});

test('pictures become items named after their files, and content that is there already is not added twice', () => {
  const files: MediaEntry[] = [
    picture('Blue_planet.PNG'),
    picture('blue planet (1).jpg'),
    picture('../../etc/<b>passwd</b>.svg'),
    picture('tier_list.png'),
    picture('\u202egnp.exe\u0000.png'),
    picture('日本.webp'),
  ];
  const { project } = doStep(
    startHistory(EMPTY_PROJECT),
    'Add',
    (draft) => void addFiles(draft, [...files, files[0]!]),
  );
  assert.deepEqual(
    project.tier_list.items.map(({ name, file_field }) => [name, file_field, project.media[file_field!]]),
    [
      ['Blue planet', 'blue_planet', 'media/blue_planet.png'],
      ['Blue planet', 'blue_planet_1', 'media/blue_planet_1.jpg'],
      ['../../etc/<b>passwd</b>', 'etc_b_passwd_b', 'media/etc_b_passwd_b.svg'],
      ['Tier list', 'tier_list-2', 'media/tier_list-2.png'],
      ['Gnp.exe', 'gnp_exe', 'media/gnp_exe.png'],
      ['日本', 'file', 'media/file.webp'],
    ],
  );
});

test('ranking alone makes a video, with the best item last; times that were set by hand stay', () => {
  const project = ranked(4);
  assert.ok(isAutomatic(project));
  const order = ({ timeline_data }: Project) => timeline_data.tier_tiles.map(({ tier_item_id }) => tier_item_id);
  assert.deepEqual(order(project), ['item_3', 'item_2', 'item_1', 'item_0']);
  assert.deepEqual(project.timeline_data.tier_blocks, [{ id: 'board', start: 0, duration: 18.5 }]);
  const moved = doStep(startHistory(project), 'Move', (draft) => placeItems(draft, ['item_3'], { row: 's', index: 0 }));
  assert.deepEqual(order(moved.project), ['item_2', 'item_1', 'item_3', 'item_0']);
  const byHand = doStep(moved, 'Later', (draft) => {
    draft.timeline_data.tier_tiles[0]!.position = 9;
  });
  const again = doStep(byHand, 'Move', (draft) => placeItems(draft, ['item_2'], { row: 's', index: 0 }));
  assert.deepEqual(again.project.timeline_data, byHand.project.timeline_data);
});

test('automatic reveals are 3.5 s apart; a project saved with 2 s between them is automatic too, and follows its board', () => {
  const project = ranked(3);
  const positions = ({ timeline_data }: Project) => timeline_data.tier_tiles.map(({ position }) => position);
  assert.deepEqual(positions(project), [1.5, 5, 8.5]);
  const saved = structuredClone(project) as Draft<Project>;
  saved.timeline_data.tier_blocks = [{ id: 'board', start: 0, duration: 10.5 }];
  for (const [index, tile] of saved.timeline_data.tier_tiles.entries()) tile.position = 1.5 + 2 * index;
  const opened = startHistory(saved as Project);
  assert.deepEqual(positions(opened.project), [1.5, 3.5, 5.5]);
  assert.ok(isAutomatic(opened.project));
  const moved = doStep(opened, 'Move', (draft) => placeItems(draft, ['item_2'], { row: 's', index: 0 }));
  assert.deepEqual(positions(moved.project), [1.5, 5, 8.5]);
});

test('an opened project is frozen from the start, before the first step', () => {
  const { project } = startHistory(structuredClone(ranked(3)));
  const parts = [
    project.tier_list,
    project.tier_list.items,
    project.tier_list.items[0],
    project.timeline_data.tier_tiles,
  ];
  assert.ok(parts.every((part) => Object.isFrozen(part)));
});

test('[C61] a background is removed with its file or its clip, in the same step', () => {
  const clip = { ...picture('clip.mp4'), kind: 'video', duration: 2 } as const;
  const start = doStep(startHistory(EMPTY_PROJECT), 'Add', (draft) => {
    addFiles(draft, [picture('sky.png'), picture('card.png'), clip]);
  }).project;
  const backed = (background: object) =>
    startHistory({ ...start, settings: { ...start.settings, background } } as Project);
  for (const [field, background] of [
    ['sky', { kind: 'image', file_field: 'sky', blur: 40 }],
    ['clip', { kind: 'blur', of: 'clip' }],
  ] as const) {
    const before = backed(background);
    const after = doStep(before, 'Remove', (draft) => removeMedia(draft, field));
    assert.equal('background' in after.project.settings, false);
    assert.deepEqual(undoStep(after).project, before.project);
    const other = doStep(before, 'Remove', (draft) => removeMedia(draft, 'card'));
    assert.deepEqual(other.project.settings.background, background);
  }
  const gradient = { kind: 'gradient', colors: ['#000000', '#ffffff'] };
  const kept = doStep(backed(gradient), 'Remove', (draft) => removeMedia(draft, 'clip'));
  assert.deepEqual(kept.project.settings.background, gradient);

  openProject(backed({ kind: 'blur', of: 'clip' }).project);
  editTimeline('Remove', (data) => removeEntries(data, [{ lane: 'videos', index: 0 }]));
  assert.equal(decided.value.timeline_data.videos.length, 0);
  assert.equal('background' in decided.value.settings, false);
});

test('a picture that is ranked after the reveals were placed is revealed after the last one, not at the first frame', () => {
  const before = doStep(startHistory(ranked(2)), 'Place', (draft) => {
    draft.timeline_data.tier_tiles[0]!.position = 9;
    draft.timeline_data.tier_blocks[0]!.duration = 13;
  }).project;
  const added = doStep(startHistory(before), 'Rank', (draft) => {
    const fields = addFiles(draft, [picture('late_a.png'), picture('late_b.png')]);
    placeItems(draft, fields, { row: 's', index: 99 });
  }).project.timeline_data;
  assert.deepEqual(
    added.tier_tiles.slice(-2).map(({ tier_item_id: id, position }) => [id, position]),
    [
      ['late_a', 12.5],
      ['late_b', 16],
    ],
  );
  // The board stays after the last of them as long as it stayed after the last one before.
  assert.equal(added.tier_blocks[0]!.duration, 20);
  const locked = doStep(startHistory(before), 'Lock', (draft) => {
    draft.studio.lanes = { tier_tiles: { locked: true } };
    placeItems(draft, addFiles(draft, [picture('late_a.png')]), { row: 's', index: 99 });
  }).project.timeline_data;
  assert.equal(locked.tier_tiles, before.timeline_data.tier_tiles);
});
