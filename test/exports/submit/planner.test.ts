import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExportError } from '../../../src/errors.ts';
import { plannerHere, ThreadPlanner } from '../../../src/exports/submit/planner.ts';
import type { RequestRules } from '../../../src/exports/submit/read-request.ts';
import type { MediaFacts } from '../../../src/plan/model/media-facts.ts';
import { DEFAULT_TIMELINE_LIMITS } from '../../../src/timeline/limits.ts';
import { DEFAULT_PRESETS } from '../../../src/timeline/presets.ts';
import { facts, picture, sound, TIER_LIST } from '../../request-builder.ts';

const RULES: RequestRules = {
  json: { maxBytes: 1_000_000, maxDepth: 32, maxValues: 50_000 },
  timeline: DEFAULT_TIMELINE_LIMITS,
  presets: DEFAULT_PRESETS,
  engineVersion: 'test',
};
const { signal } = new AbortController();

function texts(timeline_data: object, settings: object = {}): Map<string, string> {
  const documents = { tier_list: TIER_LIST, timeline_data, settings };
  return new Map(Object.entries(documents).map(([name, value]) => [name, JSON.stringify(value)]));
}

const TEXTS = texts(
  { videos: [{ file_field: 'a', duration: 3 }], tier_blocks: [{ start: 0, duration: 4 }], nonsense: 1 },
  { preset: 'portrait' },
);
const FOUND = new Map([['a', facts('a')]]);
const PROBED = { texts: TEXTS, uploads: ['a', 'stray'], found: FOUND };

test('a plan and its warnings are the same in a thread and outside', async () => {
  await using threads = new ThreadPlanner(RULES, { threads: 1, maxWaiting: 10 });
  const here = plannerHere(RULES);
  const outline = await threads.outline('ann', { texts: TEXTS, uploads: ['a', 'stray'] }, signal);
  assert.deepEqual(outline, await here.outline('ann', { texts: TEXTS, uploads: ['a', 'stray'] }, signal));
  assert.deepEqual(outline.fields, ['a']);
  const plans = await threads.plan('ann', PROBED, signal);
  assert.deepEqual(plans, await here.plan('ann', PROBED, signal));
  assert.deepEqual(
    plans.map(({ preset }) => preset),
    ['preset_two', 'preset_one', 'preset_three'],
  );
  for (const { json, preset, chunks, audio } of plans) {
    const whole = JSON.parse(new TextDecoder().decode(json));
    assert.equal(json.buffer.byteLength, json.length, 'handed over whole, and nothing else with it');
    assert.deepEqual([whole.preset, whole.chunks, whole.audio.key], [preset, chunks, audio.key]);
  }
  assert.deepEqual(
    plans[0]!.warnings.map(({ path, code }) => `${path} ${code}`),
    ['/timeline_data/nonsense field.unknown', '/stray media.unreferenced'],
  );
  const described = await threads.describe('ann', PROBED, signal);
  assert.deepEqual(described, await here.describe('ann', PROBED, signal));
  assert.equal(described.durationSeconds, 4);
});

test('[C90] a strict request fails with its warnings, those that need its media too', async () => {
  const here = plannerHere(RULES);
  const strict = (value: string) => new Map([...TEXTS, ['strict', value]]);
  const sent = { uploads: ['a', 'stray'], found: FOUND };
  const errors = async (asked: Promise<unknown>) => {
    const error = await asked.then(
      () => null,
      (failure: unknown) => failure,
    );
    return error instanceof ExportError ? error.issues.map(({ path, code }) => `${path} ${code}`) : error;
  };
  const unknown = '/timeline_data/nonsense field.unknown';
  const refused = await errors(here.plan('ann', { ...sent, texts: strict('true') }, signal));
  assert.deepEqual(refused, [unknown, '/stray media.unreferenced']);
  assert.deepEqual(await errors(here.describe('ann', { ...sent, texts: strict('true') }, signal)), refused);
  assert.ok(
    String(await errors(here.outline('ann', { texts: strict('true'), uploads: ['a'] }, signal))).includes(unknown),
  );
  assert.equal(await errors(here.plan('ann', { ...sent, texts: strict('false') }, signal)), null);
  assert.deepEqual(await errors(here.outline('ann', { texts: strict('yes'), uploads: ['a'] }, signal)), [
    '/strict field.choice',
  ]);
  const clean = texts({ videos: [{ file_field: 'a', duration: 3 }] });
  clean.set('strict', 'true');
  assert.equal(await errors(here.plan('ann', { texts: clean, uploads: ['a'], found: FOUND }, signal)), null);
});

test('[C5] errors of documents, of media and before the files keep their codes and paths across the thread', async () => {
  await using threads = new ThreadPlanner(RULES, { threads: 1, maxWaiting: 10 });
  const wrong = texts({ videos: [{ file_field: 'a', speed: 11 }] }, { fps: 1000 });
  const issues = async (asked: Promise<unknown>) => {
    try {
      await asked;
      return null;
    } catch (error) {
      assert.ok(error instanceof ExportError, String(error));
      return [error.kind, ...error.issues.map(({ path, code }) => `${path} ${code}`)];
    }
  };
  const expected = ['invalid', '/settings/fps field.range', '/timeline_data/videos/0/speed field.range'];
  assert.deepEqual(await issues(threads.outline('ann', { texts: wrong, uploads: ['a'] }, signal)), expected);
  assert.deepEqual(await issues(threads.check('ann', { texts: wrong }, signal)), expected);
  const broken = new Map([['settings', '{']]);
  assert.equal((await issues(threads.check('ann', { texts: broken }, signal)))?.[0], 'malformed');
  assert.equal(await issues(threads.check('ann', { texts: new Map([['settings', '{"fps":1000}']]) }, signal)), null);
  const unusable = new Map([
    [
      'a',
      { hash: facts('a').hash, error: { kind: 'unsupported', code: 'media.unsupported', message: 'No.' } as const },
    ],
  ]);
  assert.deepEqual(await issues(threads.plan('ann', { ...PROBED, found: unusable }, signal)), [
    'unsupported',
    '/timeline_data/videos/0/file_field media.unsupported',
  ]);
  const still = new Map([['a', picture('a')]]);
  const timeless = { texts: texts({ videos: [{ file_field: 'a' }] }), uploads: ['a'], found: still };
  assert.equal((await issues(threads.describe('ann', timeless, signal)))?.[0], 'invalid');
});

test('[C71] a plan needs no files if they decide no length; known facts of others are checked', async () => {
  const here = plannerHere(RULES);
  const describe = (timeline: object, found: Map<string, MediaFacts>) =>
    here.describe('ann', { texts: texts(timeline), uploads: [...found.keys()], found }, signal);
  const clips = { videos: [{ file_field: 'a', duration: 3, crop_x: 200, crop_w: 400 }], audios: [{ file_field: 'b' }] };
  const text = (json: Uint8Array | null) => new TextDecoder().decode(json!);
  const known = await describe({ ...clips, audios: [] }, new Map());
  assert.deepEqual([known.durationSeconds, JSON.parse(text(known.planJson)).totalFrames, known.warnings], [3, 90, []]);
  assert.match(JSON.parse(text(known.plan)), /"a" unchecked/);
  const { plan, planJson, durationSeconds } = await describe(clips, FOUND);
  assert.deepEqual([plan, planJson, durationSeconds], [null, null, null], 'nothing says how long b is');
  assert.equal((await describe(clips, new Map([['b', sound('b', 7)]]))).durationSeconds, 7);
  const late = { videos: [{ file_field: 'a', trim_start: 90 }], soundtracks: [{ file_field: 'c' }] };
  await assert.rejects(describe(late, FOUND), { code: 'trim.beyond_source' });
  const subtitled = { subtitle_files: [{ file_field: 'cues' }], titles: [{ text: 'x', start: 0, duration: 2 }] };
  assert.equal((await describe(subtitled, new Map())).plan, null, 'a subtitle may end later');
});

test('[C38] an unused reference gives a warning at its path', async () => {
  const sent = new Map([
    ...texts({ titles: [{ text: 'x', start: 0, duration: 1 }] }),
    ['media_refs', '{"stray":"00"}'],
  ]);
  const { warnings } = await plannerHere(RULES).outline('ann', { texts: sent, uploads: ['stray', 'part'] }, signal);
  assert.deepEqual(
    warnings.map(({ path }) => path),
    ['/media_refs/stray', '/part'],
  );
});

test('the event loop continues while a long timeline is planned', async () => {
  await using threads = new ThreadPlanner(RULES, { threads: 1, maxWaiting: 10 });
  const entries = (count: number, entry: (n: number) => object) => Array.from({ length: count }, (_, n) => entry(n));
  const long = texts({
    videos: entries(1500, (n) => ({ id: `v${n}`, file_field: 'a', start: n * 9, duration: 9 })),
    subtitles: entries(2000, (n) => ({ id: `s${n}`, text: `Number ${n}`, start: n * 7, duration: 6 })),
    tier_blocks: [{ start: 0, duration: 14_000 }],
  });
  await threads.check('ann', { texts: TEXTS }, signal);
  let turns = 0;
  const counting = setInterval(() => (turns += 1), 1);
  const begun = performance.now();
  await threads.plan('ann', { texts: long, uploads: ['a'], found: FOUND }, signal);
  const tookMs = performance.now() - begun;
  clearInterval(counting);
  // A blocked loop would have one or two turns; a busy machine gives fewer than one a millisecond.
  assert.ok(turns > 10, `${turns} turns in ${tookMs.toFixed()} ms`);
});
