import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ATTACKS } from '../../bench/attack/attacks.ts';
import { attackOwnService } from '../../bench/attack/run-attacks.ts';

const MINUTES = 15;

test('[H42] every attack of npm run attack is held', async (t) => {
  const stop = AbortSignal.timeout(MINUTES * 60_000);
  let seen = 0;
  for await (const { attack, verdict, figure } of attackOwnService(ATTACKS, stop)) {
    seen += 1;
    await t.test(`[${attack.rule}] ${attack.name}`, () => assert.equal(verdict, 'held', figure));
  }
  assert.equal(seen, ATTACKS.length);
});
