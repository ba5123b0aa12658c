import assert from 'node:assert/strict';
import { test } from 'node:test';
import { publishedOf, publishingKit } from '../../src/plan/publishing-kit.ts';
import { frames } from '../../src/time.ts';
import { timesLonger } from '../processor-time.ts';
import { parse, plan } from '../request-builder.ts';

/** The kit of a video with a reveal at each of these seconds. */
function kitOf(
  reveals: readonly number[],
  { title = 'Snacks, ranked', names = [] as readonly string[], duration = 120, subtitles = [] as object[] } = {},
) {
  const items = reveals.map((_, at) => ({ id: `i${at}`, name: names[at] ?? `Item ${at}` }));
  const documents = {
    tier_list: { title, rows: [{ id: 'S', item_ids: items.map(({ id }) => id) }, { id: 'F' }], items },
    timeline_data: {
      tier_blocks: [{ start: 0, duration }],
      tier_tiles: reveals.map((position, at) => ({ tier_item_id: `i${at}`, position })),
      subtitles,
    },
  };
  return publishingKit(plan(documents, {}), publishedOf(parse(documents)));
}

test('[R40] chapters begin at 0, and each is at least ten seconds long', () => {
  const { chapters, description } = kitOf([12, 15, 30.9, 65, 112]);
  assert.deepEqual(chapters, [
    { start: 0, title: 'Snacks, ranked' },
    { start: 12, title: 'Item 0, Item 1' },
    { start: 30, title: 'Item 2' },
    { start: 65, title: 'Item 3, Item 4' },
  ]);
  const lines = ['5 items from S to F.', '', '0:00 Snacks, ranked', '0:12 Item 0, Item 1', '0:30 Item 2'];
  assert.equal(description, [...lines, '1:05 Item 3, Item 4'].join('\n'));
});

test('[R40] fewer than three chapters are not in the description', () => {
  assert.equal(kitOf([20]).description, '1 item from S to F.');
  assert.equal(kitOf([1, 2, 3], { duration: 5 }).description, '3 items from S to F.');
});

test('[R40] the texts keep to the limits of YouTube', () => {
  const names = Array.from({ length: 300 }, (_, at) => `<Item>, number ${at} \u{1f355}`);
  const reveals = names.map((_, at) => 10 + at * 11);
  const kit = kitOf(reveals, { names, title: `\u{1f355}${'x\u{1f355}'.repeat(90)}`, duration: 3600 });
  assert.ok(kit.title.length <= 100 && kit.title.isWellFormed() && kit.title.endsWith('…'), kit.title);
  assert.ok(kit.description.length <= 5000 && kit.description.length > 4900, `${kit.description.length}`);
  assert.ok(kit.chapters.length > 250);
  for (const { title } of kit.chapters) assert.ok(title.length <= 100);
  const cost = kit.tags.reduce((sum, tag) => sum + tag.length + 1 + (tag.includes(' ') ? 2 : 0), 0);
  assert.ok(cost <= 500 && cost > 450, `${cost}`);
  assert.doesNotMatch(JSON.stringify(kit), /[<>]/);
});

test('[R40] tags are the names of items, each once; captions are there if something is written', () => {
  const kit = kitOf([1, 2, 3, 4], { names: ['Pizza', 'pizza', 'Tacos, soft', ' '], title: '' });
  assert.deepEqual(kit.tags, ['tier list', 'Pizza', 'Tacos soft']);
  assert.equal(kit.title, 'Tier list');
  assert.equal(kit.hasCaptions, false);
  assert.equal(kitOf([1], { subtitles: [{ text: 'Hi', start: 0, duration: 1 }] }).hasCaptions, true);
});

test('[R40] the time to make a kit is proportional to the number of chapters', async () => {
  const work = (count: number) => {
    const chapters = Array.from({ length: count }, (_, at) => ({
      start: frames(at * 30),
      end: frames((at + 1) * 30),
      title: `Item ${at}`,
    }));
    const plan = { title: 'T', chapters, rate: { num: 30, den: 1 }, totalFrames: frames(count * 30) };
    return () => publishingKit(plan, { summary: '', tags: [], hasCaptions: false });
  };
  assert.ok((await timesLonger(work(100_000), work(200_000), 3.5)) < 3.5);
});
