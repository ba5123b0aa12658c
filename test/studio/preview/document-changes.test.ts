import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { changed, changesOf, type Documents } from '../../../src/studio/preview/plan/document-changes.ts';
import { type PlanOutcome, planDocuments } from '../../../src/studio/preview/plan/plan-documents.ts';
import { PlanChannel, packed, unpacked } from '../../../src/studio/session/packed-plan.ts';
import { DEFAULT_TIMELINE_LIMITS as limits } from '../../../src/timeline/limits.ts';
import { KnownEntries } from '../../../src/timeline/parse/parse-context.ts';
import { DEFAULT_PRESETS as presets } from '../../../src/timeline/presets.ts';

const entry = fc.record({ id: fc.string({ maxLength: 3 }), start: fc.nat(9) });
const fields = fc.dictionary(
  fc.constantFrom('videos', 'subtitles', 'title', 'fps', '__proto__', 'length'),
  fc.oneof(fc.array(entry, { maxLength: 4 }), fc.nat(9), fc.string({ maxLength: 2 }), fc.constant(null)),
);
const documents = fc.record({ tier_list: fields, timeline_data: fields, settings: fields });

/** As it arrives in a worker. */
function sent<T>(value: T): T {
  return structuredClone(value);
}

test('the changes turn the old documents into the new ones, including the order of fields', () => {
  fc.assert(
    fc.property(fc.array(documents, { maxLength: 5 }), (all) => {
      let here: Documents = {};
      let there: Documents = {};
      for (const next of all as Documents[]) {
        there = changed(there, sent(changesOf(here, next)));
        here = next;
        assert.equal(JSON.stringify(there), JSON.stringify(next));
      }
    }),
  );
});

test('of thousands of entries only the changed one is sent', () => {
  const subtitles = Array.from({ length: 2000 }, (_, i) => ({ id: `s${i}`, text: `Line ${i}`, start: i }));
  const before = { tier_list: { title: 'Two hours' }, timeline_data: { subtitles, videos: [] }, settings: {} };
  const moved = { ...subtitles[7]!, start: 8.5 };
  const after = { ...before, timeline_data: { ...before.timeline_data, subtitles: subtitles.with(7, moved) } };
  const changes = changesOf(before, after);
  assert.deepEqual(changes, {
    timeline_data: { keys: ['subtitles', 'videos'], put: {}, at: { subtitles: [[7, moved]] } },
  });
  const there = changed(sent(before), changes) as typeof after;
  assert.deepEqual(there, after);
  assert.deepEqual(changesOf(after, after), {});
});

/** What the worker says of documents, in landscape. */
function outcomeOf(subtitles: readonly object[], known?: KnownEntries): PlanOutcome {
  const rules = { presets, limits, facts: new Map(), subtitleTexts: new Map(), ...(known && { known }) };
  const documents = { tier_list: {}, timeline_data: { subtitles }, settings: {} };
  return planDocuments({ ...rules, documents, presetNames: [presets[0].name] }).next().value!;
}

function isText(part: string | number): part is string {
  return typeof part === 'string';
}

test('a plan sent as text is the same plan, and an edit of a long one changes few parts', () => {
  const lines = Array.from({ length: 200 }, (_, i) => ({ text: `Line ${i}`, start: i * 4, duration: 3 }));
  const [here, over] = [new PlanChannel(), new PlanChannel()];
  const edited = lines.with(7, { text: 'Line 7', start: 28.5, duration: 1 });
  const texts: string[][] = [];
  const [before, after] = [lines, edited, lines].map((subtitles) => {
    const [plan] = outcomeOf(subtitles).plans.values();
    const sent = structuredClone(here.sent('landscape', packed(plan!)));
    const there = over.received('landscape', sent);
    assert.deepEqual(unpacked(there), JSON.parse(JSON.stringify(plan)));
    texts.push(Object.values({ ...sent.lists, ...sent.painted }).flatMap((parts) => parts.filter(isText)));
    return there;
  });
  assert.ok(texts[0]!.length > 2);
  assert.deepEqual([texts[1]!.length, texts[2]!.length], [2, 2], 'the subtitles around it, and what is seen around it');
  assert.equal(
    unpacked(after!).painted.subtitle[150],
    unpacked(before!).painted.subtitle[150],
    'what is as it was is read once',
  );
});

test('valid entries are not checked again; invalid ones are reported each time', () => {
  let looks = 0;
  const watched = (entry: object) =>
    new Proxy(entry, {
      ownKeys(target) {
        looks += 1;
        return Reflect.ownKeys(target);
      },
    });
  const right = watched({ text: 'Right', start: 0, duration: 2 });
  const odd = { text: 'Odd', start: 2, duration: 2, colour: '#ffffff' };
  const known = new KnownEntries();
  const first = outcomeOf([right, odd], known);
  const seen = looks;
  const second = outcomeOf([right, odd], known);
  assert.ok(seen > 0);
  assert.equal(looks, seen);
  assert.deepEqual(second, first);
  assert.deepEqual(
    second.warnings.map(({ path }) => path),
    ['/timeline_data/subtitles/1/colour'],
  );
  const wrong = outcomeOf([right, { ...odd, start: -1 }], known);
  assert.deepEqual(
    wrong.errors.map(({ path }) => path),
    ['/timeline_data/subtitles/1/start'],
  );
});
