import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { REVEALS } from '../../src/timeline/choices.ts';
import {
  changedItem,
  type Draft,
  draft,
  edit,
  painted,
  pictures,
  plainDraft,
  plainItem,
  plainWindow,
  planned,
  SIZES,
  second,
} from './keyed-drafts.ts';

after(() => pictures[Symbol.dispose]());

test('[R18] after any edit, chunks with equal keys have equal pixels', async () => {
  let reused = 0;
  await fc.assert(
    fc.asyncProperty(draft, edit, async (before, change) => {
      const known = new Map((await painted(planned(before))).map(({ key, pixels }) => [key, pixels]));
      for (const { key, pixels } of await painted(planned(change(before)))) {
        if (!known.has(key)) continue;
        reused += 1;
        assert.ok(known.get(key) === pixels, 'the cache would show another picture than a render');
      }
    }),
    { numRuns: 20 },
  );
  assert.ok(reused > 40, `${reused} chunks were reused at all`);
});

/** Small cards of a given shape, all of them on the canvas: it shows which ones are visible. */
const plain = fc
  .record({
    title: fc.constantFrom('', 'Games'),
    reveal: fc.constantFrom(...REVEALS),
    shape: fc.constantFrom('square', 'square', 'portrait'),
    items: fc.array(plainItem, { minLength: 1, maxLength: 9 }),
    windows: fc.array(plainWindow, { minLength: 1, maxLength: 6 }),
  })
  .map(({ windows, ...made }) =>
    plainDraft({ ...made, width: 320, windows: windows.map((window) => ({ ...window, x: 5 })) }),
  );

const LONGEST_SPOTLIGHT = 4;

/** What an edit touches is seen from this second on; what comes before should not be rendered again. */
const laterEdit = fc.oneof(
  fc.record({ at: fc.nat(), seconds: fc.tuple(second, second) }).map(({ at, seconds }) => (before: Draft) => {
    const [was, is] = seconds;
    // A spotlight before it may become shorter, so that the card leaves in time.
    const first = Math.min(was ?? 0, is ?? 0) - LONGEST_SPOTLIGHT;
    return {
      from: changedItem(at, { revealedAt: was })(before),
      to: changedItem(at, { revealedAt: is })(before),
      first,
    };
  }),
  fc
    .record({ at: fc.nat(), when: second, was: plainItem, is: plainItem })
    .map(({ at, when, was, is }) => (before: Draft) => {
      const from = changedItem(at, { ...was, revealedAt: when })(before);
      return { from, to: changedItem(at, { ...is, revealedAt: when })(before), first: when ?? 0 };
    }),
  draft.map(({ subtitle }) => (before: Draft) => ({ from: before, to: { ...before, subtitle }, first: 10 })),
  plainWindow.map((last) => (before: Draft) => {
    const { windows } = before;
    // The window before it fades out, unless this one takes over in its very place.
    const first = (40 * (windows.length - 1)) / windows.length - 1;
    return { from: before, to: { ...before, windows: windows.with(-1, { ...windows[0]!, ...last, x: 5 }) }, first };
  }),
);

test('[R18] an edit keeps the keys of everything before the second in which it first shows', () => {
  let kept = 0;
  fc.assert(
    fc.property(plain, laterEdit, (before, edited) => {
      const { from, to, first } = edited(before);
      const [old, now] = [planned(from), planned(to)];
      for (const [index, { start, end, key }] of old.chunks.entries()) {
        const chunk = now.chunks[index]!;
        // Cuts cling to what happens nearby, so that a chunk before the edit may have got another end.
        if (end > first * 4 || chunk.start !== start || chunk.end !== end) break;
        kept += 1;
        assert.equal(chunk.key, key, `frames ${start} to ${end}`);
      }
    }),
    { numRuns: 300 },
  );
  assert.ok(kept > 100, `${kept} chunks were kept`);
});

/** One card is held up for more than half of the video; meanwhile others come and go. */
const held = fc
  .record({
    items: fc.array(plainItem, { minLength: 2, maxLength: 5 }),
    isMove: fc.boolean(),
    hold: fc.integer({ min: 18, max: 24 }),
  })
  .map(({ items, isMove, hold }): Draft => {
    const windows = [{ x: 5, width: 90, height: 90 }];
    const plain = plainDraft({ width: 320, shape: 'square', rows: 3, items, windows });
    const style = 'spotlight';
    const moved = isMove ? ({ at: 1, row: 2, index: 0, style } as const) : null;
    const first = { ...plain.items[0]!, style, hold, moved, revealedAt: isMove ? null : 1 } as const;
    return { ...plain, items: plain.items.with(0, first) };
  });

test('[R18] under a long hold, chunks with equal keys have equal pixels', async () => {
  let reused = 0;
  await fc.assert(
    fc.asyncProperty(held, edit, async (before, change) => {
      const known = new Map((await painted(planned(before))).map(({ key, pixels }) => [key, pixels]));
      for (const { key, pixels } of await painted(planned(change(before)))) {
        if (!known.has(key)) continue;
        reused += 1;
        assert.ok(known.get(key) === pixels, 'the cache would show another picture than a render');
      }
    }),
    { numRuns: 8 },
  );
  assert.ok(reused > 5, `${reused} chunks were reused at all`);
});

test('[R18] an edit after a hold, or of an entrance that is over, keeps the chunks of the hold', () => {
  // At the fourth second the board changes in all of them, so that all are cut there.
  const times = (last: number) => [1, 2, 4, last].map((revealedAt, file) => ({ name: 'Go', file, revealedAt }));
  const windows = [{ x: 5, width: 90, height: 90 }];
  const made = (style: Draft['reveal'], last: number) => {
    const plain = plainDraft({ items: times(last), windows });
    const [first, second, third, fourth] = plain.items;
    const shown = [{ ...first!, style: 'spotlight', hold: 24 } as const, { ...second!, style }];
    return planned({ ...plain, items: [...shown, { ...third!, style: 'none' }, fourth!] });
  };
  const keys = ({ chunks }: ReturnType<typeof made>) => chunks.map(({ start, end, key }) => [start, end, key]);
  const [plain, later, atOnce] = [made('pop', 32), made('pop', 36), made('none', 32)].map(keys);
  assert.deepEqual(later!.slice(0, 2), plain!.slice(0, 2), 'the card that comes after the hold');
  assert.notDeepEqual(later!.at(-1), plain!.at(-1));
  assert.deepEqual(atOnce![1], plain![1], 'the card that came at its beginning');
  assert.notDeepEqual(atOnce![0], plain![0]);
});

test('[R18] another reveal style keeps the keys, and the pixels, of boards without motion', async () => {
  const items = SIZES.map((_, file) => ({ name: 'Go', file, revealedAt: file + 1 }));
  // The second begins where nothing moves any more; there all three are cut.
  const windows = [0, 1].map(() => ({ x: 5, width: 90, height: 90 }));
  const made = (reveal: Draft['reveal']) => painted(planned(plainDraft({ reveal, items, windows })));
  const [none, pop, spotlight] = [await made('none'), await made('pop'), await made('spotlight')];
  for (const other of [pop, spotlight]) assert.deepEqual(other.slice(-2), none.slice(-2));
  assert.notEqual(pop[0]!.key, spotlight[0]!.key);
});

test('[R18] a later, larger window changes nothing about the boards before it', async () => {
  const items = SIZES.map((_, file) => ({ name: 'Go', file, revealedAt: null }));
  const small = { x: 5, width: 40, height: 40 };
  const made = (last: typeof small) => painted(planned(plainDraft({ items, windows: [small, last] })));
  const [before, after] = [await made(small), await made({ x: 0, width: 90, height: 90 })];
  assert.deepEqual(after[0], before[0]);
  assert.notEqual(after.at(-1)!.key, before.at(-1)!.key);
});

test('[R18] with windows of very many sizes pictures are prepared differently, and the keys include that', async () => {
  const items = SIZES.map((_, file) => ({ name: 'Go', file, revealedAt: null }));
  const made = (sizes: number) => {
    const windows = Array.from({ length: sizes }, (_, index) => ({ x: 5, width: 90 - index * 3, height: 90 }));
    return painted(planned(plainDraft({ items, windows })));
  };
  const [few, many, more] = [await made(16), await made(17), await made(18)];
  const shared = (a: typeof few, b: typeof few) => a.filter(({ key }) => b.some((other) => other.key === key)).length;
  assert.equal(shared(few, many), 0);
  for (const { key, pixels } of many) {
    for (const other of more) if (other.key === key) assert.equal(other.pixels, pixels);
  }
});
