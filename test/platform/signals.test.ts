import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { FirstSignal } from '../../src/platform/signals.ts';

test('a first signal aborts with its first source, and releases all sources when disposed', () => {
  const long = new AbortController();
  const short = new AbortController();
  const first = new FirstSignal(long.signal, short.signal);
  short.abort('short');
  assert.equal(first.signal.reason, 'short');
  first[Symbol.dispose]();
  assert.equal(getEventListeners(long.signal, 'abort').length, 0);
  using late = new FirstSignal(long.signal, short.signal);
  assert.equal(late.signal.reason, 'short');
});
