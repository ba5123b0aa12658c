import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isTerminal,
  LEGAL_MOVES,
  type RecordedState,
  requireLegalMove,
} from '../../src/store/records/export-record.ts';

const STATES = Object.keys(LEGAL_MOVES) as RecordedState[];

test('[C35] exactly the listed transitions are legal', () => {
  const legal = STATES.flatMap((from) => STATES.filter((to) => isLegal(from, to)).map((to) => `${from} → ${to}`));
  assert.deepEqual(legal, [
    'queued → rendering',
    'queued → failed',
    'queued → cancelled',
    'rendering → queued',
    'rendering → completed',
    'rendering → failed',
    'rendering → cancelled',
    'completed → expired',
    'failed → expired',
    'cancelled → expired',
  ]);
});

test('[C35] an ended export can only expire', () => {
  for (const state of STATES) {
    const ended = LEGAL_MOVES[state].every((to) => to === 'expired');
    assert.equal(isTerminal(state), ended, state);
  }
});

test('[C35] an illegal transition is a bug and names both states', () => {
  assert.throws(() => requireLegalMove('completed', 'rendering'), /completed.*rendering/);
});

function isLegal(from: RecordedState, to: RecordedState): boolean {
  try {
    requireLegalMove(from, to);
    return true;
  } catch {
    return false;
  }
}
