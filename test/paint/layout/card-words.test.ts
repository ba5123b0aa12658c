import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameOnCard } from '../../../src/paint/layout/card-words.ts';
import { createSkiaMeasure } from '../../../src/paint/skia/skia.ts';

const measure = createSkiaMeasure();
const MIN_PX = 12;

function said(name: string, sidePx: number): string | undefined {
  return nameOnCard(name, { width: sidePx, height: sidePx }, MIN_PX, measure)
    ?.lines.map(({ text }) => text)
    .join(' ');
}

test('[R12] a long word is broken rather than told by its first letter alone; names of more words have initials', () => {
  assert.match(said('Donaudampfschifffahrtsgesellschaft', 84)!, /^Donau\S* .*schaft$/u);
  assert.equal(said('Donaudampfschifffahrtsgesellschaft GmbH', 84), 'DG');
  assert.equal(said('Donaudampfschifffahrtsgesellschaft', 40), 'D', 'where pieces would be a few letters each');
  assert.equal(said('Portal', 84), 'Portal');
});
