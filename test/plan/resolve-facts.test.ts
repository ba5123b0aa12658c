import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExportError } from '../../src/errors.ts';
import { type FactsOrError, mentionedFields, resolveFacts } from '../../src/plan/resolve-facts.ts';
import { facts, parse, plan } from '../request-builder.ts';

const hash = '0'.repeat(64);
const broken: FactsOrError = {
  hash,
  error: new ExportError('unsupported', 'media.unsupported', 'We do not take this.'),
};
const request = parse({
  tier_list: { items: [{ id: 'x', file_field: 'p' }] },
  timeline_data: {
    videos: [
      { file_field: 'a', duration: 1 },
      { file_field: 'b', duration: 1 },
    ],
    soundtracks: [{ file_field: 'b', duration: 1 }],
  },
});

test('[C34] unusable media are an error at every entry that plays them, of the kind of the cause', () => {
  const uploads = new Map<string, FactsOrError>([
    ['a', facts('a')],
    ['b', broken],
    ['p', facts('p')],
  ]);
  assert.throws(
    () => resolveFacts(request, uploads),
    (error) => {
      assert.ok(error instanceof ExportError);
      assert.equal(error.kind, 'unsupported');
      const paths = error.issues.map(({ path }) => path);
      assert.deepEqual(paths, ['/timeline_data/videos/1/file_field', '/timeline_data/soundtracks/0/file_field']);
      return true;
    },
  );
});

test('[R12] an item whose picture is unusable stays, marked as unreadable', () => {
  const uploads = new Map<string, FactsOrError>([
    ['a', facts('a')],
    ['b', facts('b')],
    ['p', broken],
  ]);
  assert.equal(resolveFacts(request, uploads).get('p')?.kind, 'unreadable');
  assert.deepEqual([...mentionedFields(request)], ['a', 'b', 'p']);
});

test('[C5] an SVG as a clip is an error among the others; as an item it is a picture', () => {
  const drawing = { ...facts('d'), kind: 'drawing' } as const;
  const uploads = (a: FactsOrError, b: FactsOrError) =>
    new Map<string, FactsOrError>([
      ['a', a],
      ['b', b],
      ['p', drawing],
    ]);
  assert.throws(
    () => resolveFacts(request, uploads(drawing, broken)),
    (error) => {
      assert.ok(error instanceof ExportError);
      const paths = error.issues.map(({ path, code }) => `${path} ${code}`);
      assert.ok(paths.includes('/timeline_data/videos/0/file_field media.unsupported'), paths.join());
      assert.ok(paths.includes('/timeline_data/videos/1/file_field media.unsupported'), paths.join());
      return true;
    },
  );
  assert.equal(resolveFacts(request, uploads(facts('a'), facts('b'))).get('p')?.kind, 'drawing');
});

test('[H13] a truncated picture is a warning at every entry and item that shows it', () => {
  const truncated = { ...facts('p'), kind: 'still', truncated: true } as const;
  const { warnings } = plan(
    {
      tier_list: { items: [{ id: 'x', file_field: 'p' }] },
      timeline_data: {
        videos: [
          { file_field: 'p', duration: 1 },
          { file_field: 'a', duration: 1 },
        ],
      },
      settings: { background: { kind: 'image', file_field: 'p' } },
    },
    { a: facts('a'), p: truncated },
  );
  const found = warnings.filter(({ code }) => code === 'media.truncated').map(({ path }) => path);
  assert.deepEqual(found, [
    '/timeline_data/videos/0/file_field',
    '/tier_list/items/0/file_field',
    '/settings/background/file_field',
  ]);
});
