import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isAutomatic } from '../../../src/studio/document/automatic-reveals.ts';
import { addRow, applyRowPreset, changeEffect, itemsIn } from '../../../src/studio/document/board-commands.ts';
import { doStep, startHistory, undoStep } from '../../../src/studio/document/history.ts';
import { EMPTY_PROJECT } from '../../../src/studio/document/project.ts';
import { nextRow, ROW_PRESETS } from '../../../src/studio/document/row-presets.ts';
import { ranked } from './project-builder.ts';

const labelsOf = ({ tier_list }: typeof EMPTY_PROJECT) => tier_list.rows.map(({ label }) => label).join(' ');

test('a new project has the rows S A B C D F, and each further row the next letter', () => {
  assert.equal(labelsOf(EMPTY_PROJECT), 'S A B C D F');
  const more = doStep(startHistory(EMPTY_PROJECT), 'Add rows', (draft) => {
    for (let i = 0; i < 3; i += 1) addRow(draft);
  });
  assert.equal(labelsOf(more.project), 'S A B C D F G H I');
  assert.equal(nextRow(['10', '9', '8']).label, '7');
  assert.equal(nextRow(['1', '2', '3']).label, '4');
  assert.equal(nextRow(['s', 'a', 'b']).label, 'C');
});

test('an added row never has the label of another, until all letters are used', () => {
  const label = fc.oneof(fc.constantFrom(...'SABCDEFGXYZ'), fc.nat({ max: 12 }).map(String));
  fc.assert(
    fc.property(fc.uniqueArray(label, { maxLength: 12 }), (labels) => {
      assert.ok(!labels.includes(nextRow(labels).label), `${labels} and ${nextRow(labels).label}`);
    }),
  );
  assert.equal(nextRow([...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']).label, 'New');
});

test('a row preset is one step: rows keep their items and ids by position, and items of removed rows become unranked', () => {
  const names = fc.array(fc.constantFrom(...Object.keys(ROW_PRESETS)), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.nat({ max: 20 }), names, (count, chosen) => {
      let history = startHistory(ranked(count));
      for (const name of chosen) {
        const before = history.project;
        const after = doStep(history, name, (draft) => applyRowPreset(draft, name));
        const { rows } = after.project.tier_list;
        const preset = ROW_PRESETS[name]!;
        assert.deepEqual(
          rows.map(({ label, color }) => ({ label, color })),
          preset,
        );
        assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length);
        for (const [place, row] of before.tier_list.rows.slice(0, preset.length).entries()) {
          assert.deepEqual([rows[place]!.id, rows[place]!.item_ids], [row.id, row.item_ids]);
        }
        const gone = before.tier_list.rows.slice(preset.length).flatMap(({ item_ids = [] }) => item_ids);
        const pool = new Set(itemsIn(after.project, null).map(({ id }) => id));
        assert.ok(gone.every((id) => pool.has(id)));
        assert.ok(isAutomatic(after.project), 'reveals follow the board as before');
        if (after !== history) assert.deepEqual(undoStep(after).project, before);
        history = after;
      }
    }),
    { numRuns: 40 },
  );
});

test('an effect of a row is removed with it, whether the row is removed or a preset has none', () => {
  const before = doStep(startHistory(ranked(6)), 'Effect', (draft) => changeEffect(draft, 'f', 'confetti'));
  const after = doStep(before, 'Rows', (draft) => applyRowPreset(draft, 'S to D'));
  assert.equal(after.project.settings.effects, undefined);
});
