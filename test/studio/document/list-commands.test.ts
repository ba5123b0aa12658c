import assert from 'node:assert/strict';
import { test } from 'node:test';
import { itemsIn } from '../../../src/studio/document/board-commands.ts';
import { doStep, startHistory, undoStep } from '../../../src/studio/document/history.ts';
import { addListed, readList } from '../../../src/studio/document/list-commands.ts';
import { EMPTY_PROJECT } from '../../../src/studio/document/project.ts';
import { picture, ranked } from './project-builder.ts';

test('each line of a list of names is an item, without bullets and numbers, in one step', () => {
  const listed = readList('\uFEFF1. Popcorn\r\n2) Chips\n\n - Celery, raw\n• Salt & Vinegar\n');
  assert.deepEqual(
    listed.map(({ name }) => name),
    ['Popcorn', 'Chips', 'Celery, raw', 'Salt & Vinegar'],
  );
  const before = startHistory(EMPTY_PROJECT);
  const after = doStep(before, 'Paste', (draft) => addListed(draft, listed));
  assert.deepEqual(
    itemsIn(after.project, null).map(({ id }) => id),
    ['popcorn', 'chips', 'celery_raw', 'salt_vinegar'],
  );
  assert.deepEqual(undoStep(after).project, before.project);
});

test('a table gives names, rows, scores and pictures; a missing row is created', () => {
  const text = 'Name;Row;Score;Picture\n"Chips; ""hot""";s;9.5;item_0.png\nTea;Z;;\nMilk;;7;none.png';
  const listed = readList(text);
  assert.equal(listed[0]!.name, 'Chips; "hot"');
  const { project } = doStep(startHistory(ranked(1)), 'Import', (draft) => addListed(draft, listed));
  const [chips, tea, milk] = project.tier_list.items.slice(-3);
  assert.deepEqual(chips, { id: 'chips_hot', name: 'Chips; "hot"', score: '9.5', file_field: 'item_0' });
  assert.equal(project.tier_list.rows[0]!.item_ids!.at(-1), 'chips_hot');
  assert.deepEqual([project.tier_list.rows.at(-1)!.label, project.tier_list.rows.at(-1)!.item_ids], ['Z', [tea!.id]]);
  assert.deepEqual(itemsIn(project, null), [milk]);
  assert.equal(milk!.file_field, undefined);
  assert.ok(project.studio.media.item_0!.name === picture('item_0.png').name);
});
