import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Field } from '../../src/timeline/field.ts';
import { FIELD_WORDS, type Words } from '../../src/timeline/field-words.ts';
import { FIELDS, type FieldOwner } from '../../src/timeline/fields.ts';
import { defaultWords } from '../../src/timeline/json-schema.ts';
import { repositoryTexts } from './repository-texts.ts';

/** The tables of fields, by page and heading; the first table below the heading counts. */
const TABLES: readonly (readonly [page: string, heading: string, owners: readonly FieldOwner[]])[] = [
  ['docs/reference/timeline.md', '### auto', ['auto']],
  ['docs/reference/timeline.md', '### Clips: videos, audios, soundtracks', ['video', 'soundtrack']],
  ['docs/reference/timeline.md', '### tier_blocks', ['block']],
  ['docs/reference/timeline.md', '### tier_tiles', ['tile']],
  ['docs/reference/timeline.md', '### titles', ['titleEntry']],
  ['docs/reference/timeline.md', '### subtitles', ['subtitle']],
  ['docs/reference/timeline.md', '### Caption styles', ['captionStyle']],
  ['docs/reference/settings.md', '# Settings', ['settings']],
  ['docs/reference/settings.md', '## card', ['card']],
  ['docs/reference/settings.md', '## theme', ['theme']],
  ['docs/reference/rules/documents.md', '## Settings', ['settings']],
  ['docs/reference/rules/documents.md', '### C23. Default look of a subtitle', ['subtitle']],
  ['docs/reference/rules/documents.md', '### C64. A timeline from a tier list', ['auto']],
  ['docs/reference/rules/documents.md', '### C46. Cards', ['card']],
];

const pages = new Map(repositoryTexts().map(({ path, text }) => [path, text]));

interface TableRow {
  readonly names: readonly string[];
  readonly line: string;
}

function rowsBelow(page: string, heading: string): TableRow[] {
  const text = pages.get(page)!;
  const at = text.indexOf(`\n${heading}\n`) + 1 || (text.startsWith(`${heading}\n`) ? 1 : 0);
  assert.ok(at > 0, `${page} has ${heading}`);
  const [table = ''] = /(?:^\|.*\n)+/m.exec(text.slice(at)) ?? [];
  return table.split('\n').flatMap((line) => {
    const names = [...(line.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name!);
    return names.length === 0 ? [] : [{ names, line }];
  });
}

test('[C14] tables of fields have only fields that there are, with their defaults', () => {
  let compared = 0;
  const wrong: string[] = [];
  for (const [page, heading, owners] of TABLES) {
    for (const { names, line } of rowsBelow(page, heading)) {
      for (const name of names) {
        const owner = owners.find((each) => name in FIELDS[each]);
        if (owner === undefined) {
          wrong.push(`${page}, ${heading}: ${name} is no field`);
          continue;
        }
        const rows: Readonly<Record<string, Field>> = FIELDS[owner];
        const [, text] = (FIELD_WORDS[owner] as Readonly<Record<string, Words>>)[name]!;
        // Some defaults depend on more than their row knows: those are in the words.
        if (rows[name]!.default === undefined || text.includes('Default:')) continue;
        const words = defaultWords(owner, name);
        const facts = words?.match(/`[^`]+`|(?<![\w#])\d+(?:\.\d+)?|true|false/g) ?? [];
        const { by = '' } = rows[name]!;
        const settings: Readonly<Record<string, Field>> = FIELDS.settings;
        // A choice that is named in the words is not a fact of its own.
        const named = new Set(((rows[by] ?? settings[by])?.choices ?? []).map((choice) => `\`${choice}\``));
        const missing = facts.filter((fact) => !named.has(fact) && fact !== 'false' && !line.includes(fact));
        compared += 1;
        if (missing.length > 0) wrong.push(`${page}, ${heading}: ${name} is ${words}, not as in ${line}`);
      }
    }
  }
  assert.ok(compared > 70, `${compared}`);
  assert.deepEqual(wrong, []);
});

test('[C14] the reference has every field of an entry and of the settings', () => {
  const undocumented = (['docs/reference/timeline.md', 'docs/reference/settings.md'] as const).flatMap((page) => {
    const owners = TABLES.filter(([of]) => of === page).flatMap(([, , each]) => each);
    return owners.flatMap((owner) =>
      Object.keys(FIELDS[owner])
        .filter((name) => !pages.get(page)!.includes(`\`${name}\``))
        .map((name) => `${page}: ${owner}.${name}`),
    );
  });
  assert.deepEqual(undocumented, []);
});
