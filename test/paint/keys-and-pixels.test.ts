import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { SkiaOverlayPainter } from '../../src/paint/skia/skia-overlay-painter.ts';
import type { Overlay, Painting } from '../../src/plan/overlay-painter.ts';
import { paintedLayer } from '../../src/plan/painted/painted-kinds.ts';
import type { RenderPlan } from '../../src/plan/render-plan.ts';
import { frames } from '../../src/time.ts';
import { picture, plan } from '../request-builder.ts';
import { drawLandscape, SamplePictures } from './sample-pictures.ts';

/** Smaller than any card, about as large, wide, tall, far larger. */
const SIZES = [[30, 30], [120, 120], [300, 200], [260, 400], [900, 700]] as const; // biome-ignore format: a table

const pictures = new SamplePictures(0);
for (const [index, size] of SIZES.entries()) {
  pictures.add(`p${index}`, drawLandscape(index, ...size).bitmap.toBuffer('image/png'));
}
after(() => pictures[Symbol.dispose]());
const media = Object.fromEntries(
  SIZES.map(([width, height], index) => [`p${index}`, picture(`p${index}`, width, height)]),
);

/** A request in the few things that vary. */
interface Draft {
  readonly title: string;
  readonly reveal: 'none' | 'pop' | 'spotlight';
  readonly items: readonly {
    readonly name: string;
    readonly file: number | null;
    readonly revealedAt: number | null;
  }[];
  readonly rows: number;
  readonly shape: 'auto' | 'square' | 'portrait' | 'landscape';
  readonly windows: readonly Window[];
  readonly subtitle: string;
  readonly width: number;
}

interface Window {
  readonly x: number;
  readonly width: number;
  readonly height: number;
}

const name = fc.constantFrom('Chess', 'Go', 'Backgammon', 'Settlers of Catan');
const file = fc.option(fc.nat(SIZES.length - 1), { freq: 6 });
const second = fc.option(fc.integer({ min: 1, max: 38 }));
const window = fc.record({
  x: fc.constantFrom(0, 5, 40, -20),
  width: fc.constantFrom(40, 60, 90),
  height: fc.constantFrom(40, 90),
});
const item = fc.record({ name, file, revealedAt: second });
const draft: fc.Arbitrary<Draft> = fc.record({
  title: fc.constantFrom('', 'Games'),
  reveal: fc.constantFrom('none', 'pop', 'spotlight'),
  items: fc.array(item, { minLength: 1, maxLength: 9 }),
  rows: fc.constantFrom(1, 2, 4),
  shape: fc.constantFrom('auto', 'auto', 'square', 'portrait', 'landscape'),
  windows: fc.array(window, { minLength: 1, maxLength: 6 }),
  subtitle: fc.constantFrom('', 'Next one'),
  width: fc.constantFrom(320, 640),
});

/** One thing changed, as people do who export again. */
const edit: fc.Arbitrary<(before: Draft) => Draft> = fc.oneof(
  draft.map(
    ({ reveal }) =>
      (before: Draft): Draft => ({ ...before, reveal }),
  ),
  draft.map(
    ({ shape }) =>
      (before: Draft): Draft => ({ ...before, shape }),
  ),
  draft.map(
    ({ title }) =>
      (before: Draft): Draft => ({ ...before, title }),
  ),
  draft.map(
    ({ subtitle }) =>
      (before: Draft): Draft => ({ ...before, subtitle }),
  ),
  fc.tuple(fc.nat(), item).map(([at, { name }]) => changedItem(at, { name })),
  fc.tuple(fc.nat(), item).map(([at, { file }]) => changedItem(at, { file })),
  fc.tuple(fc.nat(), item).map(([at, { revealedAt }]) => changedItem(at, { revealedAt })),
  item.map(
    (added) =>
      (before: Draft): Draft => ({ ...before, items: [...before.items, added] }),
  ),
  fc.tuple(fc.nat(), window).map(([at, changed]) => (before: Draft): Draft => {
    return { ...before, windows: before.windows.with(at % before.windows.length, changed) };
  }),
);

function changedItem(at: number, change: Partial<Draft['items'][number]>): (before: Draft) => Draft {
  return (before) => {
    const index = at % before.items.length;
    return { ...before, items: before.items.with(index, { ...before.items[index]!, ...change }) };
  };
}

/** `auto`, and names where any item has a picture, look at all pictures, those not yet seen among them. */
const NAMES = { auto: 'auto', landscape: 'always', square: 'never', portrait: 'never' } as const;

/** Forty seconds; the windows follow each other, so that each has chunks to itself. */
function planned({ title, reveal, items, rows, shape, windows, subtitle, width }: Draft): RenderPlan {
  const documents = {
    tier_list: {
      title,
      rows: Array.from({ length: rows }, (_, row) => ({
        id: `r${row}`,
        label: 'SABC'[row]!,
        color: `#${'f84c'[row]!.repeat(3)}080`,
        item_ids: items.flatMap((_, index) => (index % rows === row ? [`i${index}`] : [])),
      })),
      items: items.map(({ name, file }, index) => ({
        id: `i${index}`,
        name,
        ...(file !== null && { file_field: `p${file}` }),
      })),
    },
    timeline_data: {
      tier_blocks: windows.map(({ x, width, height }, index) => ({
        start: (40 * index) / windows.length,
        duration: 40 / windows.length,
        x_percent: x,
        y_percent: 5,
        width_percent: width,
        height_percent: height,
      })),
      tier_tiles: items.flatMap(({ revealedAt }, index) =>
        revealedAt === null ? [] : [{ tier_item_id: `i${index}`, position: revealedAt }],
      ),
      subtitles: subtitle === '' ? [] : [{ text: subtitle, start: 12, duration: 3 }],
    },
    settings: { width, height: (width * 9) / 16, fps: 4, reveal, card: { shape, names: NAMES[shape] } },
  };
  return plan(documents, media);
}

/** For each chunk, its key and a hash of all that is painted for it. */
async function painted(made: RenderPlan): Promise<{ key: string; pixels: string }[]> {
  const painter = await SkiaOverlayPainter.create({ plan: made, files: pictures.files });
  const still = new Map<string, string>();
  return made.chunks.map(({ start, end, key }) => {
    const all: string[] = [];
    for (let n = start as number; n < end; n += 1) {
      const span = made.spans.find((candidate) => candidate.start <= n && n < candidate.end)!;
      for (const ref of span.layers) {
        if (ref.kind === 'clip') continue;
        const known = ref.changes ? undefined : still.get(JSON.stringify(ref));
        const hash = known ?? hashOf(painter.paint(ref.kind, paintedLayer(made, ref), frames(n)));
        if (!ref.changes) still.set(JSON.stringify(ref), hash);
        all.push(`${n - start} ${ref.kind} ${hash}`);
      }
    }
    return { key, pixels: [end - start, ...all].join('\n') };
  });
}

function hashOf(painted: Painting | Overlay | null): string {
  if (painted === null) return 'nothing';
  if ('still' in painted) {
    const { still, moving, veil, front } = painted;
    return [hashOf(still), hashOf(moving), JSON.stringify(veil), hashOf(front)].join(' ');
  }
  const overlay = painted;
  return createHash('sha256').update(JSON.stringify(overlay.rect)).update(overlay.rgba).digest('hex');
}

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
    { numRuns: 60 },
  );
  assert.ok(reused > 60, `${reused} chunks were reused at all`);
});

/** Small cards of a given shape, all of them on the canvas: there it can be told who is seen. */
const plain = draft.map((made): Draft => {
  return {
    ...made,
    width: 320,
    rows: 2,
    shape: made.shape === 'portrait' ? 'portrait' : 'square',
    windows: made.windows.map((window) => ({ ...window, x: 5 })),
  };
});

/** What an edit touches is seen from this second on; what comes before should not be rendered again. */
const laterEdit = fc.oneof(
  fc.record({ at: fc.nat(), seconds: fc.tuple(second, second) }).map(({ at, seconds }) => (before: Draft) => {
    const [was, is] = seconds;
    const first = Math.min(was ?? 0, is ?? 0);
    return {
      from: changedItem(at, { revealedAt: was })(before),
      to: changedItem(at, { revealedAt: is })(before),
      first,
    };
  }),
  fc.record({ at: fc.nat(), when: second, was: item, is: item }).map(({ at, when, was, is }) => (before: Draft) => {
    const from = changedItem(at, { ...was, revealedAt: when })(before);
    return { from, to: changedItem(at, { ...is, revealedAt: when })(before), first: when ?? 0 };
  }),
  draft.map(({ subtitle }) => (before: Draft) => ({ from: before, to: { ...before, subtitle }, first: 12 })),
  window.map((last) => (before: Draft) => {
    const { windows } = before;
    // The window before it fades out, unless this one takes over in its very place.
    const first = (40 * (windows.length - 1)) / windows.length - 1;
    return { from: before, to: { ...before, windows: windows.with(-1, { ...last, x: 5 }) }, first };
  }),
);

test('[R18] what an edit does not touch keeps its keys: nothing before the second it is first seen at', () => {
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

test('[R18] another way of revealing keeps the keys, and the pixels, of boards on which nothing moves', async () => {
  const items = SIZES.map((_, file) => ({ name: 'Go', file, revealedAt: file + 1 }));
  // The second begins where nothing moves any more; there all three are cut.
  const windows = [0, 1].map(() => ({ x: 5, width: 90, height: 90 }));
  const made = (reveal: Draft['reveal']) =>
    painted(planned({ title: '', reveal, items, rows: 2, shape: 'auto', windows, subtitle: '', width: 640 }));
  const [none, pop, spotlight] = [await made('none'), await made('pop'), await made('spotlight')];
  for (const other of [pop, spotlight]) assert.deepEqual(other.slice(-2), none.slice(-2));
  assert.notEqual(pop[0]!.key, spotlight[0]!.key);
});

test('[R18] a later, larger window changes nothing about the boards before it', async () => {
  const items = SIZES.map((_, file) => ({ name: 'Go', file, revealedAt: null }));
  const small = { x: 5, width: 40, height: 40 };
  const made = (last: Window) =>
    painted(
      planned({
        title: '',
        reveal: 'pop',
        items,
        rows: 2,
        shape: 'auto',
        windows: [small, last],
        subtitle: '',
        width: 640,
      }),
    );
  const [before, after] = [await made(small), await made({ x: 0, width: 90, height: 90 })];
  assert.deepEqual(after[0], before[0]);
  assert.notEqual(after.at(-1)!.key, before.at(-1)!.key);
});

test('[R18] with windows of very many sizes pictures are made another way, and that is in the keys', async () => {
  const items = SIZES.map((_, file) => ({ name: 'Go', file, revealedAt: null }));
  const made = (sizes: number) => {
    const windows = Array.from({ length: sizes }, (_, index) => ({ x: 5, width: 90 - index * 3, height: 90 }));
    return painted(
      planned({ title: '', reveal: 'pop', items, rows: 2, shape: 'auto', windows, subtitle: '', width: 640 }),
    );
  };
  const [few, many, more] = [await made(16), await made(17), await made(18)];
  const shared = (a: typeof few, b: typeof few) => a.filter(({ key }) => b.some((other) => other.key === key)).length;
  assert.equal(shared(few, many), 0);
  for (const { key, pixels } of many) {
    for (const other of more) if (other.key === key) assert.equal(other.pixels, pixels);
  }
});
