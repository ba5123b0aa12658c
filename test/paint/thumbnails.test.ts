import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { readPixels } from '../../src/paint/draw/read-pixels.ts';
import { layoutThumbnail } from '../../src/paint/layout/thumbnail-layout.ts';
import { createSkiaMeasure, createSkiaSurface } from '../../src/paint/skia/skia.ts';
import { paintThumbnail, thumbnailFile } from '../../src/paint/skia/thumbnail-picture.ts';
import { planThumbnail, type ThumbnailPlan } from '../../src/plan/thumbnail-plan.ts';
import { ORIENTATIONS, THEMES, THUMBNAIL_STYLES } from '../../src/timeline/choices.ts';
import type { WantedThumbnail } from '../../src/timeline/wanted-fields.ts';
import { timesLonger } from '../processor-time.ts';
import { parse, picture } from '../request-builder.ts';
import { assertLooksLike } from './golden.ts';
import { SamplePictures } from './sample-pictures.ts';

const NAMES = ['Pizza', 'Tacos', 'Sushi', 'Ramen', 'Doughnuts', 'Fries', 'Salad', 'Celery'];
const pictures = new SamplePictures(NAMES.length);
after(() => pictures[Symbol.dispose]());

const MEDIA = new Map([...pictures.files.keys()].map((field) => [field, picture(field, 240, 240)] as const));
const ROWS = { S: [0, 1], A: [2, 3, 4], B: [5], F: [6, 7] };

function planOf(wanted: Partial<WantedThumbnail>, more: { title?: string; settings?: object; rows?: object } = {}) {
  const documents = {
    tier_list: {
      title: more.title ?? 'Every snack, ranked',
      rows: Object.entries(more.rows ?? ROWS).map(([id, items]) => {
        return { id, item_ids: (items as number[]).map((item) => `i${item}`) };
      }),
      items: NAMES.map((name, item) => ({ id: `i${item}`, name, file_field: `picture${item}` })),
    },
    timeline_data: { tier_blocks: [{ start: 0, duration: 2 }] },
    settings: more.settings ?? {},
  };
  return planThumbnail(
    parse(documents, MEDIA),
    { style: 'question', text: null, items: null, orientation: null, ...wanted },
    MEDIA,
  );
}

/** At half its size: every part of it can be seen, and the stored picture is small. */
async function halfOf(plan: ThumbnailPlan) {
  const { surface, warnings } = await paintThumbnail({ plan, files: pictures.files });
  assert.deepEqual(warnings, []);
  const [width, height] = [plan.width / 2, plan.height / 2];
  const half = createSkiaSurface(width, height);
  half.context.imageSmoothingQuality = 'high';
  half.context.drawImage(surface.bitmap, 0, 0, width, height);
  return { width, height, rgba: readPixels(half) };
}

describe('a thumbnail', () => {
  for (const orientation of ORIENTATIONS) {
    for (const style of THUMBNAIL_STYLES) {
      test(`[R39] ${style}, ${orientation}`, async () => {
        await assertLooksLike(`thumbnail-${style}-${orientation}`, await halfOf(planOf({ style, orientation })));
      });
    }
  }

  for (const theme of THEMES.filter((name) => name !== 'midnight')) {
    test(`[R39][R37] in ${theme}`, async () => {
      await assertLooksLike(`thumbnail-${theme}`, await halfOf(planOf({}, { settings: { theme } })));
    });
  }

  test('[R39] a question and two rivals look the same whatever rows their items are in', async () => {
    const swapped = { S: [7, 6], A: [2, 3, 4], B: [5], F: [1, 0] };
    for (const style of ['question', 'versus'] as const) {
      const wanted = { style, items: ['i0', 'i7'] };
      const [one, other] = [await halfOf(planOf(wanted)), await halfOf(planOf(wanted, { rows: swapped }))];
      assert.ok(Buffer.from(one.rgba).equals(Buffer.from(other.rgba)), style);
    }
  });

  test('[R39] letters are at least a tenth of the height, unless a word is too long, and stay inside, with texts of any length and script', () => {
    const texts = [
      'Hi',
      'Donaudampfschifffahrtsgesellschaftskapitän',
      'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen',
      'すべてのお菓子をランキングしてみた結果がすごすぎた',
      'كل وجبة خفيفة مرتبة من الأفضل إلى الأسوأ',
      '🍕🌮🍣🍩🍜🥐',
      'S or F or A or B or S or F?',
    ];
    for (const theme of THEMES) {
      for (const orientation of ORIENTATIONS) {
        for (const style of THUMBNAIL_STYLES) {
          for (const text of texts) {
            const plan = planOf({ style, orientation, text }, { settings: { theme } });
            const measure = createSkiaMeasure(plan.theme.font);
            const layout = layoutThumbnail(plan, measure);
            const what = `${theme} ${orientation} ${style} ${text}`;
            assert.ok(layout.text.length > 0, what);
            for (const { block, box } of layout.text) {
              const widest = Math.max(...text.split(' ').map((word) => measure(word.toUpperCase(), block!.face)));
              const isLong = (widest * plan.height) / 10 > box.width;
              const least = isLong ? Math.max(plan.width, plan.height) * 0.055 : plan.height / 10;
              assert.ok(block!.sizePx >= least - 1e-6, `${what}: ${block!.sizePx}`);
              assert.ok(block!.widthPx <= box.width + 1, `${what}: ${block!.widthPx} in ${box.width}`);
              const inside = box.x >= 0 && box.x + box.width <= plan.width && box.y + box.height <= plan.height;
              assert.ok(inside, `${what}: ${JSON.stringify(box)}`);
              for (const card of layout.cards) assert.ok(card.box.y + card.box.height <= box.y + 1, `${what}: overlap`);
            }
          }
        }
      }
    }
  });

  test('[R39] a word that does not fit a line is smaller, not broken', () => {
    for (const theme of THEMES) {
      for (const text of ['Programming languages', 'Strawberry cheesecakes', 'Doughnuts']) {
        const plan = planOf({ style: 'versus', orientation: 'portrait', text }, { settings: { theme } });
        const { block } = layoutThumbnail(plan, createSkiaMeasure(plan.theme.font)).text[0]!;
        const said = block!.lines.map((line) => line.text).join(' ');
        assert.equal(said.toLowerCase(), text.toLowerCase(), theme);
      }
    }
  });

  test('[R39] the text comes from the title: what it says first, at most eight words, four a line', () => {
    const textOf = (title: string) => planOf({ style: 'versus' }, { title }).text;
    assert.equal(textOf('Every snack, ranked'), 'Every snack, ranked');
    assert.equal(textOf('Every snack in the whole world'), 'Every snack in\nthe whole world');
    assert.equal(textOf('Snacks of 2026: the ones I would eat again'), 'Snacks of 2026');
    assert.equal(textOf('Snacks (all of them)'), 'Snacks');
    assert.equal(textOf('one two three four five six seven eight nine'), 'one two three four\nfive six seven eight…');
    assert.equal(textOf(': only an afterthought'), ': only an afterthought');
    assert.equal(textOf(''), '');
    assert.equal(planOf({}).text, 'S or F?');
    assert.equal(planOf({}, { rows: { S: [0, 1, 2] } }).text, 'Every snack, ranked');
    assert.equal(planOf({ text: 'Mine\r\nis better' }).text, 'Mine\nis better');
    assert.equal(planOf({ text: '' }).text, '');
  });

  test('[R39] items can be chosen by id, as many as the style shows', () => {
    const namesOf = (wanted: Partial<WantedThumbnail>) => planOf(wanted).items.map(({ name }) => name);
    assert.deepEqual(namesOf({}), ['Pizza', 'Doughnuts', 'Celery']);
    assert.deepEqual(namesOf({ style: 'versus' }), ['Pizza', 'Tacos']);
    assert.deepEqual(namesOf({ style: 'podium' }), ['Pizza', 'Tacos', 'Sushi']);
    assert.deepEqual(namesOf({ items: ['i6', 'i2'] }), ['Salad', 'Sushi']);
    const codes = (wanted: Partial<WantedThumbnail>) => {
      try {
        planOf(wanted);
        return [];
      } catch (error) {
        return (error as { issues: { path: string; code: string }[] }).issues.map(({ path, code }) => [path, code]);
      }
    };
    assert.deepEqual(codes({ items: ['i6', 'unknown'] }), [['/items', 'item.unknown']]);
    assert.deepEqual(codes({ style: 'versus', items: ['i6', 'i6'] }), [['/items', 'thumbnail.items']]);
    assert.deepEqual(codes({ items: ['i1', 'i2', 'i3', 'i4'] }), [['/items', 'thumbnail.items']]);
    assert.deepEqual(codes({ style: 'board', items: ['i1'] }), [['/items', 'thumbnail.items']]);
    // No more than the count is looked at.
    assert.deepEqual(codes({ items: Array.from({ length: 20_000 }, (_, at) => `no${at}`) }), [
      ['/items', 'thumbnail.items'],
    ]);
  });

  test('[R39] a move counts: a podium shows the end of the video', () => {
    const documents = {
      tier_list: {
        rows: [
          { id: 'S', item_ids: ['a'] },
          { id: 'F', item_ids: ['b'] },
        ],
        items: ['a', 'b'].map((id) => ({ id })),
      },
      timeline_data: {
        tier_blocks: [{ start: 0, duration: 2 }],
        tier_tiles: [{ tier_item_id: 'b', position: 1, to_row: 'S', index: 0 }],
      },
    };
    const wanted = { style: 'podium', text: null, items: null, orientation: null } as const;
    const { items } = planThumbnail(parse(documents), wanted, new Map());
    assert.deepEqual(items.map(({ name, row }) => [name, row]), [['b', 0], ['a', 0]]); // biome-ignore format: a table
  });

  test('[R39] planning takes time in proportion to a title and to the names of wanted items', async () => {
    const title = (length: number) => () => planOf({ style: 'versus' }, { title: ' a:'.repeat(length / 32) });
    const text = (length: number) => () => planOf({ text: ' ab\n'.repeat(length) });
    const items = (length: number) => () =>
      assert.throws(() => planOf({ items: Array.from({ length }, (_, at) => `no${at}`) }));
    for (const work of [title, text, items]) {
      const [once, twice] = [work(20_000), work(40_000)];
      assert.ok((await timesLonger(once, twice, 3.5)) < 3.5);
    }
  });

  test('[R39][R12] an item whose picture is broken is a card with its name, and a warning', async () => {
    pictures.add('picture1', Buffer.from('not a picture'));
    const { warnings } = await paintThumbnail({ plan: planOf({ items: ['i0', 'i1'] }), files: pictures.files });
    assert.deepEqual(warnings.map(({ path }) => path), ['/tier_list/items/1/file_field']); // biome-ignore format: one line
  });

  test('[R39] a file stays under 2 MB, even of noise', async () => {
    const noise = createSkiaSurface(1280, 720);
    const context = noise.bitmap.getContext('2d');
    const pixels = context.createImageData(1280, 720);
    let state = 1;
    for (let at = 0; at < pixels.data.length; at += 1) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      pixels.data[at] = at % 4 === 3 ? 255 : state >>> 24;
    }
    context.putImageData(pixels, 0, 0);
    for (const format of ['jpeg', 'png'] as const) {
      const file = await thumbnailFile(noise, format);
      assert.ok(file.length < 2_000_000, `${format}: ${file.length}`);
    }
  });
});
