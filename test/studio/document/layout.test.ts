import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addFiles } from '../../../src/studio/document/add-files.ts';
import { isAutomatic } from '../../../src/studio/document/automatic-reveals.ts';
import { placeItems } from '../../../src/studio/document/board-commands.ts';
import { doStep, startHistory, undoStep } from '../../../src/studio/document/history.ts';
import { applyLayout, LAYOUT_NAMES, layoutOf, layoutPlaces } from '../../../src/studio/document/layout-commands.ts';
import { setBox } from '../../../src/studio/document/place-commands.ts';
import { EMPTY_PROJECT, type MediaEntry } from '../../../src/studio/document/project.ts';
import { DEFAULT_PRESETS } from '../../../src/timeline/presets.ts';
import { picture, ranked } from './project-builder.ts';

const FACECAM: MediaEntry = { ...picture('me.mp4'), kind: 'video', type: 'video/mp4', duration: 20, sound: true };

function boxFields(entry: object | undefined): string[] {
  return Object.keys(entry!).filter((name) => name.endsWith('_percent') || name === 'presets');
}

test('[R42] a new project has a layout: a title that is added has a place, and one that a person moved stays there', () => {
  const { project } = doStep(startHistory(ranked(2)), 'Add', (draft) => {
    addFiles(draft, [FACECAM], new Set(), null, DEFAULT_PRESETS);
    const title = { kind: 'lower_third', text: 'Me', start: 0, duration: 2 } as const;
    draft.timeline_data.titles.push({ ...title, id: 'free' }, { ...title, id: 'placed', x_percent: 1, y_percent: 2 });
    applyLayout(draft, 'left', DEFAULT_PRESETS);
  });
  assert.equal(EMPTY_PROJECT.settings.layout, 'board');
  assert.equal(project.settings.layout, 'left');
  assert.deepEqual(project.timeline_data.titles.map(boxFields), [[], ['x_percent', 'y_percent']]);
});

test('boxes that an older release wrote for a layout are recognized, and give way to another one', () => {
  const dropped = doStep(startHistory(ranked(2)), 'Add', (draft) => {
    addFiles(draft, [FACECAM], new Set(), null, DEFAULT_PRESETS);
    delete draft.settings.layout;
    const { board, cam } = layoutPlaces('corner', DEFAULT_PRESETS[0]);
    for (const [lane, place] of [
      ['tier_blocks', board],
      ['videos', cam],
    ] as const) {
      // biome-ignore format: a table
      const { id } = draft.timeline_data[lane][0]!;
      setBox(draft, { lane, id }, place, DEFAULT_PRESETS[0], 'all');
    }
  });
  assert.equal(layoutOf(dropped.project, DEFAULT_PRESETS), 'corner');
  const after = doStep(dropped, 'Layout', (draft) => applyLayout(draft, 'top', DEFAULT_PRESETS)).project;
  assert.equal(layoutOf(after, DEFAULT_PRESETS), 'top');
  assert.deepEqual([after.timeline_data.tier_blocks[0], after.timeline_data.videos[0]].flatMap(boxFields), []);
});

test('no layout lets board and camera cover each other or leave the canvas, in any format', () => {
  for (const name of LAYOUT_NAMES) {
    for (const preset of DEFAULT_PRESETS) {
      const { board, cam } = layoutPlaces(name, preset);
      const isBeside =
        board.x + board.width <= cam.x ||
        cam.x + cam.width <= board.x ||
        board.y + board.height <= cam.y ||
        cam.y + cam.height <= board.y;
      assert.ok(isBeside, `${name} in ${preset.name}`);
      for (const { x, y, width, height } of [board, cam]) {
        assert.ok(x >= 0 && y >= 0 && x + width <= 100 && y + height <= 100, `${name} in ${preset.name}`);
      }
    }
  }
});

test('a facecam that is dropped gets the first layout, and the time of the board still follows the ranking', () => {
  const start = startHistory(ranked(3));
  const dropped = doStep(start, 'Add', (draft) => void addFiles(draft, [FACECAM], new Set(), null, DEFAULT_PRESETS));
  assert.equal(layoutOf(dropped.project, DEFAULT_PRESETS), 'right');
  const { tier_blocks: boards, videos } = dropped.project.timeline_data;
  assert.equal(dropped.project.settings.layout, 'right');
  assert.deepEqual([boards[0], videos[0]].flatMap(boxFields), [], 'the planner places them in every format');
  assert.equal(videos[0]!.fit, 'cover');
  assert.ok(isAutomatic(dropped.project));
  const fourth = doStep(dropped, 'Rank', (draft) => {
    placeItems(draft, addFiles(draft, [picture('late.png')]), { row: 's', index: 0 });
  }).project;
  assert.equal(fourth.timeline_data.tier_tiles.length, 4);
  assert.equal(layoutOf(fourth, DEFAULT_PRESETS), 'right', 'a board that is made anew stands where it stood');
});

test('each layout is one step, is recognized again, and reports what is behind it', () => {
  let history = doStep(startHistory(ranked(2)), 'Add', (draft) => {
    addFiles(draft, [FACECAM], new Set(), null, DEFAULT_PRESETS);
  });
  const before = history.project;
  for (const name of LAYOUT_NAMES) {
    const after = doStep(history, name, (draft) => applyLayout(draft, name, DEFAULT_PRESETS));
    assert.equal(layoutOf(after.project, DEFAULT_PRESETS), name);
    const { background } = after.project.settings;
    assert.deepEqual(background, { kind: 'theme' }, 'the ground of the theme, no black hole');
    if (after !== history) assert.deepEqual(undoStep(after).project, history.project);
    history = after;
  }
  const bare = doStep(startHistory(before), 'Plain', (draft) => {
    delete draft.settings.background;
    applyLayout(draft, 'corner', DEFAULT_PRESETS);
  });
  assert.deepEqual(bare.project.settings.background, { kind: 'blur', of: 'me', follow: true });
  const chosen = doStep(startHistory(before), 'Colour', (draft) => {
    draft.settings.background = '#123456';
    applyLayout(draft, 'corner', DEFAULT_PRESETS);
  }).project;
  assert.equal(chosen.settings.background, '#123456');
});
