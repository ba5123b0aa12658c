import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { changed, changesOf, type Documents } from '../../../src/studio/preview/plan/document-changes.ts';

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

test('whoever has the documents before has those after, to the order of their fields', () => {
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

test('of thousands of entries the one that has changed is told', () => {
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
