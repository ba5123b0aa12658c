import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { PostgresLeader } from '../../../src/store/postgres/postgres-leader.ts';
import { testDatabase } from '../../postgres/test-database.ts';

test('postgres: a candidate can be stopped, and a leader hands over to the next', {
  timeout: 20_000,
}, async () => {
  const leader = new PostgresLeader(await testDatabase());
  const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()];
  const led: string[] = [];
  const lead = (name: string, { signal }: AbortController) => {
    const leads = Promise.withResolvers<void>();
    const work = async (alone: AbortSignal) => {
      led.push(name);
      leads.resolve();
      if (!alone.aborted) await once(alone, 'abort');
    };
    return { leads: leads.promise, ended: leader.run('upkeep', work, signal) };
  };
  const one = lead('first', first);
  await one.leads;
  const two = lead('second', second);
  const three = lead('third', third);
  second.abort();
  await two.ended;
  first.abort();
  await Promise.all([one.ended, three.leads]);
  third.abort();
  await three.ended;
  assert.deepEqual(led, ['first', 'third']);
});
