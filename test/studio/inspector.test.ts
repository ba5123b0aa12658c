import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeFields, type FieldDescription } from '../../src/studio/inspector/field-descriptions.ts';
import { DEFAULT_TIMELINE_LIMITS } from '../../src/timeline/limits.ts';
import { parseRequest } from '../../src/timeline/parse/parse-request.ts';
import { DEFAULT_PRESETS } from '../../src/timeline/presets.ts';

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

test('what the inspector shows of settings that are absent is what holds then', () => {
  const { settings } = describeFields(DEFAULT_TIMELINE_LIMITS);
  const usual = Object.fromEntries(settings.flatMap(({ name, usual }) => (usual === undefined ? [] : [[name, usual]])));
  const { fps, background, audio_bitrate, ...rest } = usual;
  const said = { ...rest, background, fps: Number(fps), audio_bitrate: Number(audio_bitrate) };
  assert.equal(Object.keys(said).length, 11);
  assert.deepEqual(settingsOf(said), settingsOf({}));
});

function settingsOf(settings: object): unknown {
  const limits = DEFAULT_TIMELINE_LIMITS;
  const documents = {
    tier_list: { rows: [], items: [] },
    timeline_data: { subtitles: [{ text: 'x', start: 0, duration: 1 }] },
  };
  return parseRequest({ ...documents, settings }, { limits, presets: DEFAULT_PRESETS, uploads: new Set() }).settings;
}
