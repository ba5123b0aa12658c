import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Box } from '../../../src/paint/boxes.ts';
import { spotlightPlaces, stampSize } from '../../../src/paint/layout/spotlight-place.ts';
import { createSkiaMeasure } from '../../../src/paint/skia/skia.ts';

const measure = createSkiaMeasure();
const LABELS = ['S', 'A+', 'Unfortunately disappointing'];

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

const light = fc.record({
  name: fc.constantFrom('', 'Pluto', 'Settlers of Catan, the anniversary edition'),
  score: fc.constantFrom('', '9/10'),
  note: fc.constantFrom('', 'As good as it gets'),
  label: fc.constantFrom(...LABELS),
});
const room = fc.record({
  size: fc.constantFrom([1728, 972], [972, 1382], [972, 972], [640, 1100]),
  shape: fc.constantFrom(1, 1.4, 0.6),
});

test('[R26] a stamp with room beside its card is most of a card wide; with less room it has the next size that fits', () => {
  const shareIn = (width: number, height: number, labels: readonly string[]) => {
    const panel = { x: 0, y: 0, width, height };
    const layout = { panel, cardPx: 120, cardHeightPx: 120, minTextPx: 12, stamp: stampSize(labels, measure) };
    const lights = labels.map((label, group) => ({ group, name: 'Pluto', score: '', note: '', label }));
    const shares = spotlightPlaces(lights, layout, measure).map(({ card, stamp }) => stamp!.box.height / card.width);
    assert.equal(new Set(shares).size, 1, 'all stamps have one size');
    return shares[0]!;
  };
  assert.equal(shareIn(1728, 972, ['S', 'A']).toFixed(2), '0.62');
  const less = shareIn(1728, 972, ['S', 'Unfortunately disappointing']);
  assert.ok(less > 0.44 && less <= 0.62, `${less}`);
  assert.equal(shareIn(972, 1382, ['S', 'A']).toFixed(2), '0.44', 'below it');
});

test('[R41] a stamp stands beside its card, or below it, and never over it, its note or the edge of the panel', () => {
  const alone = fc.record({
    light,
    width: fc.integer({ min: 300, max: 1800 }),
    height: fc.integer({ min: 200, max: 1800 }),
    shape: fc.double({ min: 0.4, max: 1.5, noNaN: true }),
    labels: fc.constantFrom(['S', 'A+'], LABELS),
  });
  fc.assert(
    fc.property(alone, ({ light: one, width, height, shape, labels }) => {
      const panel = { x: 0, y: 0, width, height };
      const cards = { cardPx: 60, cardHeightPx: 60 * shape, minTextPx: 4, stamp: stampSize(labels, measure) };
      const layout = { panel, ...cards };
      const at = (label: string) => spotlightPlaces([{ group: 0, ...one, label }], layout, measure)[0]!;
      const [{ card, note, stamp }, last] = [at(labels[0]!), at(labels.at(-1)!)];
      assert.deepEqual(last.card, card, 'its place does not show its row');
      assert.ok(!overlap(stamp!.box, { ...card, width: card.width * 1.02 }), 'over its card');
      assert.ok(note === null || !overlap(stamp!.box, note.box), 'over its note');
      const { box } = stamp!;
      assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= width + 1e-6 && box.y + box.height <= height + 1e-6);
    }),
    { numRuns: 300 },
  );
});

test('[R26, R31] cards that share the spotlight do not touch, stamps have one size, and stamps cover neither names nor other cards', () => {
  fc.assert(
    fc.property(fc.array(light, { minLength: 1, maxLength: 7 }), room, (lights, { size, shape }) => {
      const panel = { x: 0, y: 0, width: size[0]!, height: size[1]! };
      const layout = {
        panel,
        cardPx: 120,
        cardHeightPx: 120 * shape,
        minTextPx: 12,
        stamp: stampSize(LABELS, measure),
      };
      const places = spotlightPlaces(
        lights.map((light) => ({ group: 0, ...light })),
        layout,
        measure,
      );
      const sizes = places.flatMap(({ stamp }) => (stamp ? stamp.block.sizePx : []));
      assert.ok(new Set(sizes).size <= 1, 'the letters of stamps have one size');
      for (const [index, { card, note, stamp }] of places.entries()) {
        assert.ok(note === null || !stamp || !overlap(stamp.box, note.box), 'a stamp covers its own name');
        for (const [at, other] of places.entries()) {
          if (at === index) continue;
          const apart = { ...card, width: card.width * 1.03, height: card.height * 1.02 };
          assert.ok(!overlap(apart, other.card), 'cards touch');
          assert.ok(!note || !overlap(note.box, other.card), 'a name covers a card');
          assert.ok(!stamp || !overlap(stamp.box, other.card), 'a stamp covers a card');
          assert.ok(!stamp || !other.note || !overlap(stamp.box, other.note.box), 'a stamp covers a name');
        }
      }
    }),
    { numRuns: 200 },
  );
});
