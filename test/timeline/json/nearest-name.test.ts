import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearestName } from '../../../src/timeline/json/nearest-name.ts';

const NAMES = ['tier_list', 'timeline_data', 'settings', 'media', '--preset', '--out'];

test('a typing error is recognized: a letter missing, added, changed or swapped', () => {
  assert.equal(nearestName('setings', NAMES), 'settings');
  assert.equal(nearestName('setttings', NAMES), 'settings');
  assert.equal(nearestName('sextings', NAMES), 'settings');
  assert.equal(nearestName('tier_lits', NAMES), 'tier_list');
  assert.equal(nearestName('Timeline_Data', NAMES), 'timeline_data');
  assert.equal(nearestName('--oput', NAMES), '--out');
});

test('a name that resembles no other gets no suggestion', () => {
  for (const name of ['notes', '$schema', 'x', '', 'external_id', 'm'.repeat(100_000)]) {
    assert.equal(nearestName(name, NAMES), null, name.slice(0, 20));
  }
});
