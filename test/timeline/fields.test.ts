import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REVEAL_SOUNDS } from '../../src/timeline/choices.ts';
import { requestSchemas } from '../../src/timeline/document-schemas.ts';
import type { Field } from '../../src/timeline/field.ts';
import { FIELD_WORDS } from '../../src/timeline/field-words.ts';
import { FIELDS, type FieldOwner } from '../../src/timeline/fields.ts';
import { defaultWords, fieldDescription } from '../../src/timeline/json-schema.ts';
import { DEFAULT_TIMELINE_LIMITS } from '../../src/timeline/limits.ts';
import { filled, usual } from '../../src/timeline/read-fields.ts';
import { TIMELINE_FIELDS, TITLE_BASICS } from '../../src/timeline/timeline-fields.ts';

const ROWS = Object.entries(FIELDS).flatMap(([owner, rows]) =>
  Object.entries(rows as Readonly<Record<string, Field>>).map(([name, row]) => ({ owner, name, row })),
);

test('[C45] the fields that take a made sound list all of them', () => {
  for (const [, text] of [FIELD_WORDS.tile.sound_field, FIELD_WORDS.settings.reveal_sound]) {
    const named = [...text.split('. Default')[0]!.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    assert.deepEqual(named, ['none', ...REVEAL_SOUNDS]);
  }
});

test('[C14] every default is a value that its own field accepts', () => {
  const schemas = requestSchemas(DEFAULT_TIMELINE_LIMITS);
  let checked = 0;
  for (const { owner, name, row } of ROWS) {
    for (const shape of ['landscape', 'portrait', 'square'] as const) {
      for (const choice of [undefined, ...((FIELDS.subtitle.style.choices as readonly string[]) ?? [])]) {
        const value = usual(row, { style: choice, base: choice }, { settings: {}, shape });
        // An empty text is the same as none, and a default that is in another unit has a range of its own.
        if (value === undefined || value === '') continue;
        const { shape: types } = schemas[owner as FieldOwner] as unknown as {
          shape: Record<string, { safeParse(value: unknown): { success: boolean } }>;
        };
        assert.ok(types[name]!.safeParse(value).success, `${owner}.${name}: ${value}`);
        checked += 1;
      }
    }
  }
  assert.ok(checked > 1000, `${checked}`);
});

test('a description has the default of its row, and no other', () => {
  for (const { owner, name, row } of ROWS) {
    const [, text] = (FIELD_WORDS[owner as FieldOwner] as Readonly<Record<string, readonly string[]>>)[name]!;
    assert.ok(!/if absent: |; \S+ if absent/.test(text!), `${owner}.${name}: ${text}`);
    if (row.default === undefined || typeof row.default === 'function') continue;
    assert.doesNotMatch(text!, /Default:/, `${owner}.${name}`);
  }
  assert.equal(
    defaultWords('subtitle', 'size'),
    '48 for `plain`; 100 in portrait, 88 in a square, 80 in landscape for `pop`; else 76 in portrait, 68 in a square, 64 in landscape',
  );
  assert.equal(
    defaultWords('settings', 'encoder_preset'),
    '`ultrafast` for `draft`; `veryfast` for `balanced`; else `medium`',
  );
  assert.equal(defaultWords('block', 'x_percent'), '6 in portrait, else 5');
  assert.equal(defaultWords('titleEntry', 'subtext'), null);
  assert.equal(fieldDescription('transition', 'duration'), 'Seconds, centred on the cut. Default: 0.5.');
  assert.match(fieldDescription('titleEntry', 'x_percent'), /^[^:]*Default: by `kind`, `align` and preset\.$/);
});

test('basic fields are filled in from their rows: colours in small letters, one name for the centre, null without a default', () => {
  const title = { text: 'x', start: 0, duration: 1 };
  assert.deepEqual(filled(TITLE_BASICS, { ...title, align: 'middle', text_color: '#FFAA00' }), {
    ...{ subtext: '', kind: 'label', align: 'center', size: 44 },
    ...{ textColor: '#ffaa00', backgroundColor: null, backgroundAlpha: null },
  });
  const card = filled(TITLE_BASICS, { ...title, kind: 'card', size: 0.5 });
  // The theme decides how a card is aligned, and how opaque its plate is.
  assert.deepEqual([card.size, card.align, card.backgroundAlpha], [0.5, null, null]);
  // What depends on the preset is for the planner.
  assert.equal(filled(TIMELINE_FIELDS.subtitle, { ...title, style: 'pop' }).size, null);
});
