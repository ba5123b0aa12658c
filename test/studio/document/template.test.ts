import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { missingFields } from '../../../src/studio/document/field-faults.ts';
import { doStep, type Recipe, startHistory, undoStep } from '../../../src/studio/document/history.ts';
import type { Project } from '../../../src/studio/document/project.ts';
import { readProjectText } from '../../../src/studio/document/project-text.ts';
import { setDefault } from '../../../src/studio/document/settle-template.ts';
import { documentsOf, filled, titleOf } from '../../../src/studio/document/template.ts';
import {
  changeField,
  deleteField,
  episodeOf,
  makeField,
  moveField,
  renameField,
  withoutTemplate,
} from '../../../src/studio/document/template-commands.ts';
import { usesOf } from '../../../src/studio/document/template-uses.ts';
import { writtenProject } from '../../../src/studio/document/written-project.ts';
import { DEFAULT_TIMELINE_LIMITS as LIMITS } from '../../../src/timeline/limits.ts';
import { fillProject } from '../../../src/timeline/project/fill-project.ts';
import { ranked } from './project-builder.ts';

const TEMPLATES = join(import.meta.dirname, '../../../examples/templates');

const read = (value: unknown) => readProjectText(JSON.stringify(value), LIMITS);
const done = (project: Project, recipe: Recipe) => doStep(startHistory(project), 'Change', recipe).project;
const fieldOf = (project: Project, name: string) => project.template!.fields.find((field) => field.name === name)!;

/** A ranking with a title, a caption with a number, and fields for both, the items and the theme. */
function weekly(): Project {
  const project = done(ranked(5), (draft) => {
    draft.tier_list.title = 'Every snack, ranked';
    draft.settings.theme = 'midnight';
    draft.timeline_data.titles.push({ id: 'week', text: 'Week 12', start: 0, duration: 2 });
  });
  return done(project, (draft) => {
    makeField(draft, { type: 'text', label: 'Title', place: '/tier_list/title' });
    makeField(draft, { type: 'number', label: 'Week', place: '/timeline_data/titles/week/text', part: '12' });
    makeField(draft, { type: 'choice', label: 'Look', place: '/settings/theme', options: ['midnight', 'pop'] });
    makeField(draft, { type: 'items', label: 'Items', place: '/tier_list/items' });
  });
}

test('[C83] a template of the examples opens, and is saved as it was', () => {
  for (const name of readdirSync(TEMPLATES)) {
    const file = JSON.parse(readFileSync(join(TEMPLATES, name, 'project.json'), 'utf8'));
    const { project, left } = read(file);
    assert.deepEqual(left, [], name);
    const { $schema: _, ...document } = file;
    const { studio: _studio, media: _media, ...saved } = JSON.parse(JSON.stringify(writtenProject(project)));
    assert.deepEqual(saved.fields, document.fields, name);
    assert.equal(saved.name, document.name);
    assert.deepEqual(saved.settings, document.settings, name);
    assert.deepEqual(saved.tier_list.rows, document.tier_list.rows, name);
    assert.deepEqual(saved.timeline_data.auto, document.timeline_data.auto, name);
    // Saved once more, it does not change.
    assert.deepEqual(read(saved).project.template, project.template);
    assert.deepEqual(
      JSON.parse(JSON.stringify(writtenProject(read(saved).project).timeline_data)),
      saved.timeline_data,
    );
  }
});

test('[C83] what stands at a place becomes a field with that default, and is undone as one step', () => {
  const project = weekly();
  assert.equal(project.tier_list.title, '{{title}}');
  assert.equal(project.timeline_data.titles[0]!.text, 'Week {{week}}');
  assert.equal(project.settings.theme, 'midnight');
  assert.deepEqual(
    project.template!.fields.map(({ name, type, default: usual }) => [name, type, usual]),
    [
      ['title', 'text', 'Every snack, ranked'],
      ['week', 'number', 12],
      ['look', 'choice', 'midnight'],
      ['items', 'items', undefined],
    ],
  );
  assert.deepEqual(Object.fromEntries(usesOf(project)), {
    title: ['/tier_list/title'],
    week: ['/timeline_data/titles/0/text'],
    look: ['/settings/theme'],
    items: ['/tier_list/items'],
  });
  const history = startHistory(ranked(2));
  const after = doStep(history, 'Make a field', (draft) => {
    makeField(draft, { type: 'text', label: 'Title', place: '/tier_list/title' });
  });
  assert.deepEqual(undoStep(after).project, history.project);
});

test('[C83] a saved template is one for the service, which fills in the same documents', () => {
  const project = weekly();
  const written = writtenProject(project);
  assert.equal((written.settings as { theme: string }).theme, '{{look}}');
  assert.deepEqual((written.timeline_data as { auto: object }).auto, { intro: false, seconds_per_item: 3.5 });
  const items = [{ name: 'Apple', row: 'S' }];
  const made = fillProject(written, { items }, { files: true });
  assert.ok('documents' in made, JSON.stringify(made));
  const { settings, timeline_data } = made.documents as unknown as ReturnType<typeof documentsOf>;
  assert.deepEqual(settings, documentsOf(project).settings);
  assert.deepEqual(timeline_data, documentsOf(project).timeline_data);
  assert.equal(timeline_data.titles[0]!.text, 'Week 12');
  const { project: again, left } = read(written);
  assert.deepEqual(left, []);
  assert.deepEqual(again, project);
});

test('[C83] the preview shows defaults, and a change where a field stands is its new default', () => {
  const project = weekly();
  assert.equal(filled(project).tier_list.title, 'Every snack, ranked');
  assert.equal(filled(project), filled(project));
  const changed = done(project, (draft) => {
    draft.settings.theme = 'chalk';
  });
  assert.equal(fieldOf(changed, 'look').default, 'chalk');
  assert.deepEqual(fieldOf(changed, 'look').options, ['midnight', 'pop', 'chalk']);
  const set = done(changed, (draft) => setDefault(draft, 'look', 'pop'));
  assert.equal(set.settings.theme, 'pop');
  // A theme with colours of its own keeps its base as the field.
  const own = done(set, (draft) => {
    draft.settings.theme = { base: 'pop', text_color: '#ffffff' };
  });
  assert.deepEqual(own.template!.bound, { '/settings/theme/base': 'look' });
});

test('[C83] fields are renamed, moved, changed and deleted with their places', () => {
  const project = weekly();
  const renamed = done(project, (draft) => {
    renameField(draft, 'week', 'Episode {{1}}');
    renameField(draft, 'title', 'look');
    renameField(draft, 'look', 'theme');
  });
  assert.deepEqual(
    renamed.template!.fields.map(({ name }) => name),
    ['title', 'episode_1', 'theme', 'items'],
  );
  assert.equal(renamed.timeline_data.titles[0]!.text, 'Week {{episode_1}}');
  assert.equal((writtenProject(renamed).settings as { theme: string }).theme, '{{theme}}');
  const moved = done(renamed, (draft) => moveField(draft, 'items', 0));
  assert.equal(moved.template!.fields[0]!.name, 'items');
  const typed = done(moved, (draft) => changeField(draft, 'episode_1', { type: 'text', help: 'The number' }));
  assert.equal(fieldOf(typed, 'episode_1').default, '12');
  const fewer = done(moved, (draft) => changeField(draft, 'theme', { options: ['pop'] }));
  assert.equal(fewer.settings.theme, 'pop');
  const without = done(moved, (draft) => {
    for (const name of ['title', 'episode_1', 'theme', 'items']) deleteField(draft, name);
  });
  assert.equal(without.template, undefined);
  assert.equal(without.tier_list.title, 'Every snack, ranked');
  assert.equal(without.timeline_data.titles[0]!.text, 'Week 12');
  assert.equal(without.settings.theme, 'midnight');
  assert.equal(without.timeline_data.tier_tiles.length, 5);
});

test('[C83] a file is a field under its own name, also after a new one', () => {
  const [item] = ranked(1).tier_list.items;
  const project = done(ranked(1), (draft) => {
    makeField(draft, { type: 'media', label: 'Picture', kind: 'picture', place: item!.file_field! });
    renameField(draft, item!.file_field!, 'guest');
  });
  assert.equal(project.tier_list.items[0]!.file_field, 'guest');
  assert.deepEqual(Object.keys(project.media), ['guest']);
  assert.deepEqual(Object.keys(project.studio.media), ['guest']);
  assert.deepEqual(read(writtenProject(project)).project, project);
});

test('[C83] a field that nothing uses is kept, apart from those of the service', () => {
  const project = done(weekly(), (draft) => {
    draft.tier_list.title = 'Snacks';
  });
  const written = writtenProject(project);
  assert.deepEqual(Object.keys(written.fields as object), ['week', 'look', 'items']);
  assert.ok('documents' in fillProject(written, { items: [] }, { files: true }));
  assert.equal(read(written).project.template!.fields.length, 4);
});

test('an episode goes on from the last number, says what is missing, and becomes an ordinary project', () => {
  const project = weekly();
  const first = episodeOf(project, 'a', []);
  assert.equal(fieldOf(first, 'week').default, 12);
  const second = episodeOf(project, 'a', [first]);
  assert.equal(fieldOf(second, 'week').default, 13);
  assert.equal(titleOf(second), 'Every snack, ranked');
  const empty = done(second, (draft) => {
    changeField(draft, 'title', { required: true });
    setDefault(draft, 'title', undefined);
    draft.tier_list.items = [];
  });
  assert.deepEqual(
    missingFields(empty).map(({ name }) => name),
    ['title', 'items'],
  );
  assert.deepEqual(read(writtenProject(second)).project, second);
  const plain = withoutTemplate(second);
  assert.equal(plain.template, undefined);
  assert.equal(plain.timeline_data.titles[0]!.text, 'Week 13');
  assert.equal(plain.timeline_data.tier_tiles.length, 5);
});

test('[C83] wrong fields of a file are left out and reported', () => {
  const { project, left } = read({
    tier_list: { title: '{{title}} {{week}}', rows: [], items: [] },
    fields: { title: { type: 'text' }, week: { type: 'month' }, '{': { type: 'text' } },
  });
  assert.deepEqual(
    project.template!.fields.map(({ name }) => name),
    ['title'],
  );
  assert.deepEqual(
    left.map(({ code }) => code),
    ['field.choice', 'template.field_name'],
  );
});
