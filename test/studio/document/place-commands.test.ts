import assert from 'node:assert/strict';
import { test } from 'node:test';
import { doStep, startHistory, undoStep } from '../../../src/studio/document/history.ts';
import { clearBox, hasOwnPlace, scopeOf, setBox } from '../../../src/studio/document/place-commands.ts';
import { EMPTY_PROJECT, type Project } from '../../../src/studio/document/project.ts';
import { DEFAULT_PRESETS } from '../../../src/timeline/presets.ts';

const [LANDSCAPE, PORTRAIT] = DEFAULT_PRESETS;
const REF = { lane: 'subtitles', id: 's' } as const;
const PROJECT: Project = {
  ...EMPTY_PROJECT,
  timeline_data: {
    ...EMPTY_PROJECT.timeline_data,
    subtitles: [{ id: 's', text: 'Words', start: 0, duration: 2, presets: { preset_two: { size: 40 } } }],
  },
};
const BOX = { x: 1, y: 2, width: 30, height: 4 };
const WRITTEN = { x_percent: 1, y_percent: 2, width_percent: 30, height_percent: 4 };

test('[C42] a place set in the first preset applies to all; in another one it applies only there, until it is reset', () => {
  const before = startHistory(PROJECT);
  const entry = (of: Project) => of.timeline_data.subtitles[0]!;
  assert.equal(scopeOf(PROJECT, entry(PROJECT), LANDSCAPE, DEFAULT_PRESETS), 'all');
  assert.equal(scopeOf(PROJECT, entry(PROJECT), PORTRAIT, DEFAULT_PRESETS), 'own');
  const tall = { ...PROJECT, settings: { preset: 'portrait' } };
  assert.equal(scopeOf(tall, entry(tall), PORTRAIT, DEFAULT_PRESETS), 'all');

  const all = doStep(before, 'all', (draft) => setBox(draft, REF, BOX, LANDSCAPE, 'all'));
  const { id, text, start, duration } = entry(PROJECT);
  assert.deepEqual(entry(all.project), { ...entry(PROJECT), ...WRITTEN });
  // Under the existing name, beside the existing fields.
  const own = doStep(before, 'own', (draft) => setBox(draft, REF, BOX, PORTRAIT, 'own'));
  assert.deepEqual(entry(own.project).presets, { preset_two: { size: 40, ...WRITTEN } });
  assert.ok(hasOwnPlace(entry(own.project), PORTRAIT) && !hasOwnPlace(entry(PROJECT), PORTRAIT));
  assert.equal(scopeOf(own.project, entry(own.project), PORTRAIT, DEFAULT_PRESETS), 'own');

  const back = doStep(own, 'back', (draft) => clearBox(draft, REF, PORTRAIT, 'own'));
  assert.deepEqual(back.project, PROJECT);
  assert.deepEqual(undoStep(own).project, PROJECT);
  const first = doStep(before, 'own', (draft) => setBox(draft, REF, BOX, LANDSCAPE, 'own'));
  assert.deepEqual(entry(first.project).presets, { preset_two: { size: 40 }, landscape: WRITTEN });
  const none = doStep(all, 'none', (draft) => clearBox(draft, REF, LANDSCAPE, 'all'));
  assert.deepEqual(entry(none.project), { id, text, start, duration, presets: { preset_two: { size: 40 } } });
});
