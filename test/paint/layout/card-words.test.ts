import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LARGEST_HELD_UP, nameOnCard, nameUnderPicture, sameLines } from '../../../src/paint/layout/card-words.ts';
import { createSkiaMeasure } from '../../../src/paint/skia/skia.ts';

const measure = createSkiaMeasure();
const MIN_PX = 12;

function said(name: string, sidePx: number): string | undefined {
  return nameOnCard(name, { width: sidePx, height: sidePx }, MIN_PX, measure)
    ?.lines.map(({ text }) => text)
    .join(' ');
}

test('[R12] a long word is broken instead of cut to its first letter; longer names become initials', () => {
  for (const sidePx of [84, 120, 240]) {
    assert.equal(said('Donaudampfschifffahrtsgesellschaft', sidePx), 'Donau- dampf- schifffahrts- gesellschaft');
  }
  assert.equal(said('Donaudampfschifffahrtsgesellschaft GmbH', 84), 'DG');
  assert.equal(said('Donaudampfschifffahrtsgesellschaft', 40), 'D', 'where fragments would be a few letters each');
  assert.equal(said('Portal', 84), 'Portal');
});

test('[R31] a name takes a second line before it is cut, and a larger card has the same lines', () => {
  const strip = { width: 100, height: 30 };
  const lines = (name: string) => nameUnderPicture(name, strip, MIN_PX, measure)!.lines.map(({ text }) => text);
  assert.deepEqual(lines('Portal'), ['Portal']);
  assert.deepEqual(lines('Midnight Canopy'), ['Midnight', 'Canopy']);
  assert.deepEqual(lines('Donaudampfschifffahrt').length, 2, 'a long word, too');
  assert.match(lines('The Legend of Zelda: Breath of the Wild').join('|'), /^The Legend \S+\|.*…$/u);
  const inSlot = nameUnderPicture('Midnight Canopy', strip, MIN_PX, measure)!;
  const inFlight = sameLines('Midnight Canopy', inSlot, 4)!;
  assert.deepEqual(inFlight.lines, inSlot.lines);
  assert.deepEqual([inFlight.sizePx, inFlight.heightPx], [inSlot.sizePx * 4, inSlot.heightPx * 4]);
  const long = 'The Legend of Zelda: Breath of the Wild';
  assert.equal(sameLines(long, nameUnderPicture(long, strip, MIN_PX, measure), 4), null, 'there is room for all of it');
});

test('[R43] a short name is larger on a card that is held up than on the board, and no name is wider than its card', () => {
  const card = { width: 480, height: 300 };
  for (const name of ['Pizza', 'Doughnuts', 'Fish and chips']) {
    const onBoard = nameOnCard(name, card, MIN_PX, measure)!;
    const heldUp = nameOnCard(name, card, MIN_PX, measure, LARGEST_HELD_UP)!;
    assert.ok(heldUp.sizePx >= onBoard.sizePx * (name === 'Pizza' ? 1.3 : 0.95), `${name}: ${heldUp.sizePx} px`);
    assert.ok(heldUp.widthPx <= card.width && heldUp.heightPx <= card.height);
  }
});
