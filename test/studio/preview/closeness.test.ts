import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeReasons, isLate } from '../../../src/studio/preview/closeness.ts';

test('a canvas that lags behind the clock is not reported as the same frame', () => {
  assert.equal(isLate(100, 103), false);
  assert.equal(isLate(100, 104), true);
  assert.deepEqual(closeReasons({ settled: true, close: [] }, false), []);
  assert.equal(closeReasons({ settled: true, close: [] }, true).length, 1);
  assert.equal(closeReasons({ settled: false, close: ['HDR'] }, true).length, 2);
  assert.deepEqual(closeReasons({ settled: false, close: [] }, false), ['the frame is still loading']);
});
