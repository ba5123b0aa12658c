import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../hostile/random.ts';
import { KilledService } from './killed-service.ts';

const KILLS = 10;
const UP_MS = 2_000;
/** Eleven starts and the exports of ten kills take minutes on a slow machine. */
const TIMEOUT_MS = 900_000;

test('[C35, H23, H25] ten kills while exports are created, rendered and deleted: none lost, none doubled, none failed', {
  timeout: TIMEOUT_MS,
}, async () => {
  const random = new Random(Number(process.env.SEED ?? 1));
  await using service = await KilledService.start(() => random.fraction(), UP_MS);
  const { counts, whole, faults } = await service.round(KILLS);
  assert.deepEqual(faults, []);
  assert.ok(whole > 0 && (counts.get('deleted') ?? 0) > 0, `${whole} exports, ${[...counts].join(' ')}`);
});
