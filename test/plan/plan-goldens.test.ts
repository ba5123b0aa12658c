import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatPlan } from '../../src/plan/format-plan.ts';
import { assertGoldenText } from '../golden-text.ts';
import { plan } from '../request-builder.ts';
import { GOLDEN_TIMELINES } from './golden-timelines.ts';

for (const { name, documents, media, preset } of GOLDEN_TIMELINES) {
  test(`the plan of ${name} is unchanged`, () => {
    assertGoldenText(`plan/${name}.txt`, formatPlan(plan(documents, media, preset)));
  });
}

test('a plan survives JSON unchanged', () => {
  for (const { documents, media, preset } of GOLDEN_TIMELINES) {
    const before = plan(documents, media, preset);
    assert.deepEqual(JSON.parse(JSON.stringify(before)), before);
  }
});
