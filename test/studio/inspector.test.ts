import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeFields, type FieldDescription } from '../../src/studio/inspector/field-descriptions.ts';
import { DEFAULT_TIMELINE_LIMITS } from '../../src/timeline/limits.ts';

test('every field that a request may have has a control and a word of help in the inspector', () => {
  const inside = (field: FieldDescription): FieldDescription[] => [
    field,
    ...('fields' in field.control ? field.control.fields.flatMap(inside) : []),
  ];
  const all = Object.entries(describeFields(DEFAULT_TIMELINE_LIMITS)).flatMap(([kind, fields]) =>
    fields.flatMap(inside).map((field) => ({ ...field, of: `${kind}.${field.name}` })),
  );
  assert.ok(all.length > 80);
  const silent = all.filter(({ help, name }) => help === '' && !/^(id|item_ids|words)$/.test(name)).map(({ of }) => of);
  assert.deepEqual(silent, []);
});
