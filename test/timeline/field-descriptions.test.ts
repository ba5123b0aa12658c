import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MADE_SOUNDS } from '../../src/timeline/choices.ts';
import { FIELD_DESCRIPTIONS } from '../../src/timeline/field-descriptions.ts';

test('[C45] the fields that take a made sound list all of them', () => {
  const { tile, settings } = FIELD_DESCRIPTIONS;
  for (const text of [tile.sound_field, settings.reveal_sound]) {
    const named = [...text!.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    assert.deepEqual(named, ['none', ...MADE_SOUNDS]);
  }
});
