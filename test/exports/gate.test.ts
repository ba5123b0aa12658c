import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Gate } from '../../src/exports/gate.ts';

/** Passes through the gate, records when it is admitted, and leaves on request. */
function visitor(gate: Gate, party: string, name: string, entered: string[], signal = new AbortController().signal) {
  const { promise, resolve: leave } = Promise.withResolvers<void>();
  const done = gate.run(party, signal, async () => {
    entered.push(name);
    await promise;
  });
  return { leave, done };
}

test('a tenant with many requests delays another by at most one turn', async () => {
  const gate = new Gate(2);
  const entered: string[] = [];
  const greedy = Array.from({ length: 6 }, (_, n) => visitor(gate, 'greedy', `greedy ${n}`, entered));
  const modest = visitor(gate, 'modest', 'modest', entered);
  await setImmediate();
  assert.deepEqual(entered, ['greedy 0', 'greedy 1']);

  greedy[0]!.leave();
  await greedy[0]!.done;
  await setImmediate();
  assert.deepEqual(entered, ['greedy 0', 'greedy 1', 'modest']);

  for (const { leave } of [modest, ...greedy]) leave();
  await Promise.all([modest.done, ...greedy.map(({ done }) => done)]);
  assert.deepEqual(entered.slice(3), ['greedy 2', 'greedy 3', 'greedy 4', 'greedy 5']);
});

test('a waiter that gives up is skipped, and no slot is lost', async () => {
  const gate = new Gate(1);
  const entered: string[] = [];
  const first = visitor(gate, 'a', 'first', entered);
  const gone = new AbortController();
  const second = visitor(gate, 'a', 'second', entered, gone.signal);
  const third = visitor(gate, 'a', 'third', entered);
  gone.abort(new Error('gone'));
  await assert.rejects(second.done, /gone/);

  first.leave();
  third.leave();
  await Promise.all([first.done, third.done]);
  await gate.run('a', new AbortController().signal, async () => entered.push('fourth'));
  assert.deepEqual(entered, ['first', 'third', 'fourth']);
});

test('a slot is freed even if the work fails', async () => {
  const gate = new Gate(1);
  const { signal } = new AbortController();
  await assert.rejects(
    gate.run('a', signal, () => Promise.reject(new Error('failed'))),
    /failed/,
  );
  assert.equal(await gate.run('a', signal, async () => 1), 1);
});
