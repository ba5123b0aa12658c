import assert from 'node:assert/strict';
import { test } from 'node:test';
import { doStep, startHistory, undoStep } from '../../src/studio/document/history.ts';
import { changeEntries } from '../../src/studio/document/move-entries.ts';
import { EMPTY_PROJECT, type Project } from '../../src/studio/document/project.ts';
import { choiceWords, unitOf, unsetWords } from '../../src/studio/inspector/choice-words.ts';
import { describeFields, type FieldDescription, withUsual } from '../../src/studio/inspector/field-descriptions.ts';
import { fitsField, sharedFields, styleOf, withInner } from '../../src/studio/inspector/field-values.ts';
import { tabStop } from '../../src/studio/kit/tab-stop.ts';
import { choices, fields } from '../../src/studio/texts/en/fields.ts';
import type { Words } from '../../src/timeline/field-words.ts';
import { DEFAULT_TIMELINE_LIMITS } from '../../src/timeline/limits.ts';
import { parseRequest } from '../../src/timeline/parse/parse-request.ts';
import { DEFAULT_PRESETS } from '../../src/timeline/presets.ts';

test('every field of a request has a control and a help text in the inspector', () => {
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

test('the inspector shows the effective value of absent settings', () => {
  const { settings } = describeFields(DEFAULT_TIMELINE_LIMITS);
  const usual = Object.fromEntries(settings.flatMap(({ name, usual }) => (usual === undefined ? [] : [[name, usual]])));
  const read = (value: string) => (/^(true|false|[\d.]+)$/.test(value) ? JSON.parse(value) : value);
  const said = Object.fromEntries(Object.entries(usual).map(([name, value]) => [name, read(value)]));
  assert.equal(Object.keys(said).length, 21);
  // The name of the default style is the same as no style.
  assert.deepEqual({ ...settingsOf(said), subtitleStyle: null }, settingsOf({}));
});

test('numbers have units, choices have words, and nothing is called a default', () => {
  const { video, settings, subtitle, tile } = describeFields(DEFAULT_TIMELINE_LIMITS);
  const units = (fields: readonly FieldDescription[], said: { volume_unit?: string; crop_unit?: string } = {}) =>
    Object.fromEntries(fields.map(({ name, row }) => [name, unitOf(row.unit, said)]));
  const { start, speed, volume, crop_x, x_percent } = units(video);
  assert.deepEqual([start, speed, volume, crop_x, x_percent], ['s', '×', '×', null, '%']);
  assert.deepEqual(units(video, { volume_unit: 'percent', crop_unit: 'pixel' }).volume, '%');
  assert.equal(units(video, { crop_unit: 'pixel' }).crop_x, 'px');
  assert.equal(units(subtitle).size, 'px');
  const all = [...video, ...settings, ...subtitle, ...tile];
  const words = all.flatMap(({ name, control }) =>
    control.kind === 'choice' ? control.choices.map((choice) => choiceWords(name, choice)) : [],
  );
  assert.deepEqual(
    words.filter((word) => !/^[A-Z]/.test(word) || /_/.test(word)),
    [],
  );
  const unset = all.flatMap(({ owner, name, usual, control }) =>
    /choice|file|row/.test(control.kind) && usual === undefined ? [unsetWords(owner, name)] : [],
  );
  assert.ok(unset.includes('Same as video settings'));
  assert.deepEqual(subtitle.find(({ name }) => name === 'align')!.control, {
    kind: 'choice',
    choices: ['left', 'center', 'right'],
  });
});

test('every field and every choice of the inspector has a text that a translation can replace', () => {
  const { auto: _, ...shown } = describeFields(DEFAULT_TIMELINE_LIMITS);
  const all = Object.values(shown).flat().flatMap(withInnerFields);
  const missing = all
    .filter(({ name }) => !/^(id|item_ids|effects)$/.test(name))
    .filter(({ owner, name, control }) => {
      const words: Readonly<Record<string, Words>> = fields[owner];
      const [label, text] = words[name]!;
      return label === '' || (text === '' && !/^(object|by-preset|json)$/.test(control.kind));
    });
  assert.deepEqual(
    missing.map(({ owner, name }) => `${owner}.${name}`),
    [],
  );
  const named = all
    // The kind of a background is a choice of the field itself.
    .filter(({ owner, name }) => !/^(font|encoder_preset)$/.test(name) && `${owner}.${name}` !== 'background.kind')
    .flatMap(({ name, control }) => choicesIn(control).map((choice) => [name, choice] as const));
  assert.ok(named.length > 50);
  assert.deepEqual(
    named.filter(([name, choice]) => (choices[`${name}.${choice}`] ?? choices[choice]) === undefined),
    [],
  );
});

function withInnerFields(field: FieldDescription): FieldDescription[] {
  const inner = 'fields' in field.control ? field.control.fields : [];
  return [field, ...inner.flatMap(withInnerFields)];
}

function choicesIn(control: FieldDescription['control']): readonly string[] {
  if ('choices' in control) return control.choices;
  if (control.kind === 'color-or-kind') return control.kinds;
  return control.kind === 'file' ? control.also : [];
}

test('[C58] any of its fields creates a transition, which is valid immediately and is removed with its kind', () => {
  const { video } = describeFields(DEFAULT_TIMELINE_LIMITS);
  const { control } = video.find(({ name }) => name === 'transition')!;
  const fields = control.kind === 'object' ? control.fields : [];
  assert.deepEqual(withInner(fields, {}, 'duration', 1), { kind: 'crossfade', duration: 1 });
  assert.deepEqual(withInner(fields, { kind: 'dip' }, 'duration', 1), { kind: 'dip', duration: 1 });
  assert.deepEqual(withInner(fields, { kind: 'dip', duration: 1 }, 'duration', undefined), { kind: 'dip' });
  assert.equal(withInner(fields, { kind: 'dip', duration: 1 }, 'kind', undefined), undefined);
  assert.equal(withInner(fields, {}, 'duration', undefined), undefined);
  assert.equal(unsetWords('transition', 'kind'), 'None');
});

test('[C59] a custom motion is a choice beside the named ones', () => {
  const { video } = describeFields(DEFAULT_TIMELINE_LIMITS);
  const { control } = video.find(({ name }) => name === 'motion')!;
  const own = styleOf({ from: { zoom: 1 } })!;
  assert.equal(choiceWords('motion', own), 'Custom');
  assert.ok(control.kind === 'named-object' && !control.choices.includes(own));
  assert.deepEqual([styleOf('ken_burns'), styleOf(undefined), styleOf(null)], ['ken_burns', undefined, undefined]);
});

test('Tab reaches the selected radio button, and the first enabled one if none is selected', () => {
  const choices = [{ value: 'a', disabled: true }, { value: 'b' }, { value: 'c' }];
  assert.deepEqual(
    ['c', 'a', 'none'].map((value) => tabStop(choices, value)),
    ['c', 'b', 'b'],
  );
  assert.equal(tabStop([{ value: 'a', disabled: true }], 'a'), undefined);
});

function settingsOf(settings: object) {
  const limits = DEFAULT_TIMELINE_LIMITS;
  const documents = {
    tier_list: { rows: [], items: [] },
    timeline_data: { subtitles: [{ text: 'x', start: 0, duration: 1 }] },
  };
  return parseRequest({ ...documents, settings }, { limits, presets: DEFAULT_PRESETS, uploads: new Set() }).settings;
}

test('choosers list matching files: no picture is offered as a font or as a sound', () => {
  const files = [
    { kind: 'still', name: 'cat.jpg' },
    { kind: 'video', name: 'clip.mp4' },
    { kind: 'audio', name: 'pop.wav' },
    { kind: 'unreadable', name: 'voice.wma' },
    { kind: 'unreadable', name: 'Anton.ttf' },
    { kind: 'unreadable', name: 'words.srt' },
  ] as const;
  const all = describeFields(DEFAULT_TIMELINE_LIMITS);
  const listed = (owner: keyof typeof all, name: string) =>
    files.filter((file) => fitsField(all[owner].find((each) => each.name === name)!, file)).map((file) => file.name);
  assert.deepEqual(listed('theme', 'font_field'), ['Anton.ttf']);
  assert.deepEqual(listed('settings', 'reveal_sound'), ['pop.wav', 'voice.wma']);
  assert.deepEqual(listed('tile', 'sound_field'), ['pop.wav', 'voice.wma']);
  assert.deepEqual(listed('item', 'file_field'), ['cat.jpg', 'voice.wma']);
  assert.deepEqual(listed('video', 'file_field'), ['cat.jpg', 'clip.mp4', 'voice.wma']);
  assert.deepEqual(listed('soundtrack', 'file_field'), ['clip.mp4', 'pop.wav', 'voice.wma']);
  assert.deepEqual(listed('subtitleFile', 'file_field'), ['words.srt']);
  const owners = Object.values(all).flatMap((fields) =>
    fields.flatMap(({ owner, name }) => (name === 'file_field' ? [owner] : [])),
  );
  assert.deepEqual(
    owners.filter((owner) => listed(owner, 'file_field').length === files.length),
    [],
    'a kind of entry that takes files is in the table',
  );
});

test('a default that depends on other fields is that of the entry, the settings and the shown preset', () => {
  const { subtitle, titleEntry, settings, video, captionStyle } = describeFields(DEFAULT_TIMELINE_LIMITS);
  const shown = (fields: readonly FieldDescription[], name: string, entry: object, ofVideo: object = {}) => {
    const field = fields.find((each) => each.name === name)!;
    const of = (shape: 'landscape' | 'portrait' | 'square') =>
      withUsual(field, entry, { settings: ofVideo, shape }).usual;
    return [of('landscape'), of('portrait'), of('square')];
  };
  assert.deepEqual(shown(subtitle, 'size', {}), ['48', '48', '48']);
  assert.deepEqual(shown(subtitle, 'size', { style: 'pop' }), ['80', '100', '88']);
  assert.deepEqual(shown(subtitle, 'size', {}, { subtitle_style: { base: 'pop' } }), ['80', '100', '88']);
  assert.deepEqual(shown(subtitle, 'size', { style: 'plain' }, { subtitle_style: 'pop' }), ['48', '48', '48']);
  assert.deepEqual(shown(subtitle, 'size', { style: { base: 'nothing' } }), ['48', '48', '48']);
  assert.deepEqual(shown(captionStyle, 'weight', { base: 'shout' }), ['800', '800', '800']);
  assert.equal(shown(titleEntry, 'size', { kind: 'label' })[0], '44');
  assert.equal(shown(titleEntry, 'size', { kind: 'card' })[0], undefined, 'the theme decides');
  assert.equal(shown(settings, 'audio_bitrate', { quality: 'upload' })[0], '384');
  assert.equal(shown(video, 'volume', {}, { volume_unit: 'percent' })[0], '100');
  assert.equal(shown(video, 'border_width', {})[0], undefined);
  assert.equal(shown(video, 'border_width', { border_color: '#ffffff' })[0], '6');
  assert.equal(shown(video, 'fit', {}, { fit: 'cover' })[0], 'cover');
  assert.equal(unsetWords('video', 'fit', 'cover'), 'Same as video settings (Fill)');
});

const LANDSCAPE = { settings: {}, shape: 'landscape' } as const;

test('several entries show their common fields; different values are mixed, and one change applies to all', () => {
  const fields = describeFields(DEFAULT_TIMELINE_LIMITS);
  const one = { id: 'a', text: 'One', start: 0, duration: 1, size: 40, style: 'pill' };
  const two = { id: 'b', text: 'Two', start: 2, duration: 1, size: 60, style: 'pill' };
  const shared = sharedFields(
    fields,
    [one, two].map((value) => ({ kind: 'subtitle', value })),
    LANDSCAPE,
  );
  const found = new Map(shared.map(({ field, value }) => [field.name, [field.mixed ?? false, value]]));
  assert.deepEqual(found.get('duration'), [false, 1]);
  assert.deepEqual(found.get('size'), [true, undefined]);
  assert.deepEqual(found.get('style'), [false, 'pill']);
  assert.deepEqual(found.get('align'), [false, undefined]);
  assert.ok(['id', 'text', 'start', 'presets'].every((name) => !found.has(name)));
  // A clip and a subtitle have their length in common, and no size.
  const clip = { kind: 'video', value: { duration: 3 } } as const;
  const both = sharedFields(fields, [clip, { kind: 'subtitle', value: one }], LANDSCAPE).map(({ field }) => field.name);
  assert.ok(both.includes('duration') && !both.includes('size') && !both.includes('speed'));

  const refs = [one, two].map(({ id }) => ({ lane: 'subtitles', id }) as const);
  const project = { ...EMPTY_PROJECT, timeline_data: { ...EMPTY_PROJECT.timeline_data, subtitles: [one, two] } };
  const before = startHistory(project as Project);
  const after = doStep(before, 'Change', (draft) => changeEntries(draft, refs, 'style', 'shout'));
  assert.deepEqual(
    after.project.timeline_data.subtitles.map(({ style, size }) => [style, size]),
    [
      ['shout', 40],
      ['shout', 60],
    ],
  );
  assert.deepEqual(undoStep(after).project, before.project);
});
