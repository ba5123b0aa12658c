import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addFiles } from '../../../src/studio/document/add-files.ts';
import { isAutomatic } from '../../../src/studio/document/automatic-reveals.ts';
import { placeItems } from '../../../src/studio/document/board-commands.ts';
import { doStep, startHistory, undoStep } from '../../../src/studio/document/history.ts';
import { applyLayout, LAYOUT_NAMES, layoutOf, layoutPlaces } from '../../../src/studio/document/layout-commands.ts';
import type { MediaEntry } from '../../../src/studio/document/project.ts';
import { DEFAULT_PRESETS } from '../../../src/timeline/presets.ts';
import { picture, ranked } from './project-builder.ts';

const FACECAM: MediaEntry = { ...picture('me.mp4'), kind: 'video', type: 'video/mp4', duration: 20, sound: true };

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
  assert.deepEqual(Object.keys(boards[0]!.presets ?? {}), ['portrait', 'square']);
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
