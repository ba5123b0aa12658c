import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { EMPTY_PROJECT, hasOtherLooks } from '../../../src/studio/document/project.ts';
import { readProjectText } from '../../../src/studio/document/project-text.ts';
import { DEFAULT_TIMELINE_LIMITS as LIMITS } from '../../../src/timeline/limits.ts';
import { ranked } from './project-builder.ts';

const read = (value: unknown) => readProjectText(JSON.stringify(value), LIMITS);

test('a project is read from its file unchanged', () => {
  const project = ranked(7);
  assert.deepEqual(read(project), { project, left: [] });
});

test('projects of the command line open, including aliases and entries without an id', () => {
  const file = join(import.meta.dirname, '../../../examples/planets/project.json');
  const { project, left } = readProjectText(readFileSync(file, 'utf8'), LIMITS);
  assert.deepEqual(left, []);
  assert.equal(project.tier_list.items.length, 9);
  const alias = read({ tier_list: { rows: [], items: [] }, timeline_data: { tier_block: { start: 0, duration: 2 } } });
  assert.deepEqual(alias.project.timeline_data.tier_blocks, [{ start: 0, duration: 2, id: 'tier_blocks' }]);
});

test('[C64] the timeline that auto makes opens as entries that can be edited', () => {
  const { tier_list } = ranked(3);
  const { project, left } = read({ tier_list, timeline_data: { auto: { seconds_per_item: 2, order: 'best_first' } } });
  assert.deepEqual(left, []);
  assert.deepEqual(project.timeline_data.tier_blocks, [{ id: 'board', start: 2.5, duration: 10.5 }]);
  assert.deepEqual(
    project.timeline_data.tier_tiles.map(({ id, position, reveal }) => [id, position, reveal]),
    [
      ['reveal-item_0', 4, 'spotlight'],
      ['reveal-item_1', 6, 'spotlight'],
      ['reveal-item_2', 8, 'spotlight'],
    ],
  );
  assert.deepEqual(read({ tier_list, timeline_data: { auto: 'yes' } }).left[0]!.path, '/timeline_data/auto');
});

test('[R26, C53, C54, C65] a project that an earlier version saved opens unchanged, and is known to look different', () => {
  const { studio, ...saved } = ranked(3);
  const { looks: _, ...earlier } = studio;
  const { project } = read({ ...saved, studio: earlier });
  assert.deepEqual(project, { ...saved, studio: earlier });
  assert.equal(hasOtherLooks(project), true);
  // New projects, those of this version, those not saved by a studio, and empty ones need no notice.
  assert.equal(hasOtherLooks(read(ranked(3)).project), false);
  assert.equal(hasOtherLooks(read(saved).project), false);
  assert.equal(hasOtherLooks(EMPTY_PROJECT), false);
  assert.equal(hasOtherLooks({ ...EMPTY_PROJECT, studio: { media: {} } }), false);
  assert.equal(hasOtherLooks(read({ ...saved, studio: { ...earlier, looks: 'new' } }).project), true);
});

test('invalid parts of a file are left out and reported; the rest can be edited', () => {
  const { project, left } = read({
    tier_list: {
      title: 7,
      rows: [{ id: 's', color: 'red' }, { label: 'no id' }, 'row', { id: 's' }],
      items: [{ id: 'a', name: '<script>alert(1)</script>' }, null],
    },
    timeline_data: { videos: [{ file_field: 'x', speed: 99, start: 1 }, { start: 2 }], audios: 'none', nobody: [1] },
    settings: { fps: 'fast', quality: 'high' },
    media: { a: 'a.png', b: 3, __proto__: { polluted: 'yes' } },
    studio: { media: { a: { hash: 'no' }, zz: 1 } },
  });
  assert.deepEqual(project.tier_list.rows, [{ id: 's' }, { id: 's-2' }]);
  assert.deepEqual(project.tier_list.items, [{ id: 'a', name: '<script>alert(1)</script>' }]);
  assert.deepEqual(project.timeline_data.videos, [{ file_field: 'x', start: 1, id: 'videos' }]);
  assert.deepEqual(project.settings, { quality: 'high' });
  assert.deepEqual(project.studio.media, {});
  assert.deepEqual(Object.keys(project.media), ['a']);
  assert.equal(({} as { polluted?: string }).polluted, undefined);
  const paths = left.map(({ path }) => path);
  for (const path of [
    '/tier_list/rows/0/color',
    '/timeline_data/videos/0/speed',
    '/timeline_data/audios',
    '/settings/fps',
  ]) {
    assert.ok(paths.includes(path), path);
  }
});

test('any file gives a project with lists and ids, or one error sentence', () => {
  const anything = fc.anything({ maxDepth: 4, withNullPrototype: false });
  const lanes = fc.dictionary(
    fc.constantFrom('videos', 'tier_blocks', 'tier_tiles', 'subtitles', 'soundtracks'),
    anything,
  );
  const project = fc.record({ tier_list: anything, timeline_data: lanes, settings: anything, media: anything });
  fc.assert(
    fc.property(project, (value) => {
      const text = JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? 1 : inner));
      const { project: opened } = readProjectText(text, LIMITS);
      for (const lane of Object.values(opened.timeline_data)) {
        assert.ok(Array.isArray(lane));
        for (const entry of lane) assert.equal(typeof entry.id, 'string');
      }
      for (const { id } of [...opened.tier_list.rows, ...opened.tier_list.items]) assert.equal(typeof id, 'string');
    }),
    { numRuns: 200 },
  );
  for (const text of ['', '[]', '{}', 'null', '{"a":', '7', `${'['.repeat(100)}${']'.repeat(100)}`]) {
    assert.throws(() => readProjectText(text, LIMITS), { name: 'ExportError' }, text);
  }
});
