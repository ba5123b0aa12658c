import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ExportError } from '../../../src/errors.ts';
import type { RequestDocuments } from '../../../src/timeline/request-documents.ts';
import { facts, parse } from '../../request-builder.ts';

const UPLOADS = new Map([
  ['a', facts('a')],
  ['b', facts('b')],
]);

/** Values that are sometimes valid, so that every depth of the parser is reached. */
const scalar = fc.oneof(
  fc.constantFrom(
    0,
    1,
    -1,
    0.5,
    5,
    100,
    1e9,
    '1.5',
    '',
    'a',
    'b',
    'c',
    '#ff0000',
    true,
    false,
    null,
    'center',
    '__proto__',
  ),
  fc.jsonValue({ maxDepth: 1 }),
);
const entry = fc.dictionary(
  fc.constantFrom(
    'id',
    'file_field',
    'media_id',
    'start',
    'duration',
    'trim_start',
    'trim_end',
    'speed',
    'volume',
    'crop_x',
    'crop_w',
    'x_percent',
    'width_percent',
    'text',
    'size',
    'align',
    'text_color',
    'position',
    'tier_item_id',
    'loop',
    'fit',
    'other',
    'item_ids',
    'name',
    'label',
    'color',
    'a/b',
    'a~b',
  ),
  fc.oneof({ weight: 4, arbitrary: scalar }, { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) }),
);
const lane = fc.oneof(
  { weight: 6, arbitrary: fc.array(entry, { maxLength: 4 }) },
  { weight: 1, arbitrary: fc.oneof(entry, scalar) },
);
const timeline = fc.dictionary(
  fc.constantFrom(
    'videos',
    'audios',
    'tier_blocks',
    'tier_block',
    'tier_tiles',
    'subtitles',
    'soundtracks',
    'settings',
    'tier_list',
    'x',
  ),
  lane,
);
const documents = fc.record(
  {
    tier_list: fc.oneof(fc.dictionary(fc.constantFrom('title', 'rows', 'items'), lane), fc.jsonValue()),
    timeline_data: fc.oneof(timeline, fc.jsonValue()),
    settings: fc.oneof(entry, fc.jsonValue()),
    timeline_json: fc.oneof(timeline, fc.jsonValue()),
    media_manifest: fc.oneof(lane, fc.jsonValue()),
  },
  { requiredKeys: [] },
);

/** What a pointer leads to, or undefined if it leads nowhere. */
function follow(document: unknown, pointer: string): unknown {
  let value = document;
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

test('[C5] parsing arbitrary JSON gives a request or an ExportError whose paths all exist', () => {
  let refused = 0;
  fc.assert(
    fc.property(documents, fc.boolean(), (request: RequestDocuments, withUploads) => {
      try {
        const { warnings } = parse(request, withUploads ? UPLOADS : null);
        for (const { path, code } of warnings) {
          if (code === 'media.unreferenced') continue; // points at the upload itself
          assert.notEqual(follow(request, path), undefined, `${code} at ${path}`);
        }
      } catch (error) {
        if (!(error instanceof ExportError)) throw error;
        refused += 1;
        assert.ok(error.issues.length > 0);
        for (const { path, code, message } of error.issues) {
          assert.notEqual(follow(request, path), undefined, `${code} at ${path}`);
          assert.ok(message.length < 1000, message);
        }
      }
    }),
    { numRuns: 1500 },
  );
  assert.ok(refused > 100, `only ${refused} were refused: the generator is too tame`);
});
