import assert from 'node:assert/strict';
import { test } from 'node:test';
import { framePlan } from '../../src/plan/frame-plan.ts';
import { sha256 } from '../../src/platform/sha256.ts';
import { facts, plan } from '../request-builder.ts';

test('[C39, C52] painters are reused for another number of frames, but not if a progress bar shows it', () => {
  const nameOf = (duration: number, progress_bar: boolean) => {
    const videos = [{ file_field: 'a', duration }];
    const made = plan({ timeline_data: { videos }, settings: { progress_bar }, tier_list: {} }, { a: facts('a') });
    return framePlan(made, { place: { at: 0 } }, sha256).planName;
  };
  assert.equal(nameOf(2, false), nameOf(3, false));
  assert.notEqual(nameOf(2, true), nameOf(3, true));
});
