import '../kit/no-eval.ts';
import { plainTheme } from '../../plan/place/plan-theme.ts';
import { type EffectName, FONTS, type FontName, THEMES } from '../../timeline/choices.ts';
import type { RawRow } from '../../timeline/document-schemas.ts';
import type { LaneName } from '../../timeline/lanes.ts';
import { addItem } from '../document/add-files.ts';
import { changeEffect, changeRow } from '../document/board-commands.ts';
import { written } from '../document/entries.ts';
import { isFileLocked, placeMedia, removeMedia } from '../document/media-commands.ts';
import type { MediaEntry } from '../document/project.ts';
import { NOTHING } from '../document/selection.ts';
import { focusSoon, useWantedField } from '../keys/move-focus.ts';
import { studioConfig } from '../kit/assets.ts';
import { Icon } from '../kit/icon.tsx';
import { say } from '../kit/messages.ts';
import { Radios } from '../kit/radios.tsx';
import { megabytes } from '../kit/shown-values.ts';
import { factWords, Thumb } from '../media/thumb.tsx';
import { edit, planned, playhead, project, rate, selection, settings } from '../session/session.ts';
import { row as rowNamed } from '../texts/en/board.ts';
import * as texts from '../texts/en/inspector.ts';
import * as page from '../texts/en/page.ts';
import { videoSettings } from '../texts/en/page.ts';
import { choiceWords } from './choice-words.ts';
import { EntriesPanel } from './entries-panel.tsx';
import { EntryForm } from './entry-form.tsx';
import { Field } from './field-control.tsx';
import { describeField, type FieldDescription } from './field-descriptions.ts';
import { ItemsPanel } from './items-panel.tsx';

/** The panel for the selection, or for the video. */
export function Panel() {
  useWantedField();
  const { value: chosen } = selection;
  const { tier_list, studio, timeline_data } = project.value;
  if (chosen.kind === 'items') {
    const items = tier_list.items.filter(({ id }) => chosen.ids.includes(id));
    if (items.length > 0) return <ItemsPanel items={items} />;
  }
  if (chosen.kind === 'row') {
    const row = tier_list.rows.find(({ id }) => id === chosen.id);
    if (row !== undefined) return <RowPanel key={row.id} row={row} />;
  }
  if (chosen.kind === 'media') {
    const entry: MediaEntry | undefined = studio.media[chosen.field];
    if (entry !== undefined) return <MediaPanel key={chosen.field} field={chosen.field} entry={entry} />;
  }
  if (chosen.kind === 'entries') {
    const refs = chosen.refs.filter(({ lane, id }) => timeline_data[lane as LaneName].some((entry) => entry.id === id));
    if (refs.length > 0) return <EntriesPanel key={`${refs[0]!.lane}/${refs[0]!.id}`} refs={refs} />;
  }
  return <SettingsPanel />;
}

function SettingsPanel() {
  const { settings } = project.value;
  return (
    <>
      <div class="phd">
        <h2>{texts.video}</h2>
      </div>
      <section class="scr" tabIndex={0} aria-label={videoSettings}>
        <ThemeChoice />
        <FontPicker />
        <EntryForm
          kind="settings"
          value={settings}
          path="/settings"
          without={['effects']}
          onChange={(name, label, value) =>
            edit(texts.change(label), (draft) => {
              const all = draft.settings as Record<string, unknown>;
              if (value === undefined) delete all[name];
              else all[name] = value;
            })
          }
          onReplace={(next) =>
            edit(texts.changeSettings, (draft) => {
              draft.settings = next;
            })
          }
        />
      </section>
    </>
  );
}

/** A setting of the video that is shown with its row. (C55) */
const EFFECT: FieldDescription = {
  ...describeField('tile', 'effect', studioConfig.limits),
  ...{ label: texts.effect, help: texts.effectHelp, usual: 'none' },
};

function RowPanel({ row }: { readonly row: RawRow }) {
  const at = project.value.tier_list.rows.indexOf(row);
  return (
    <>
      <div class="phd">
        <h2>{rowNamed(row.label ?? row.id)}</h2>
      </div>
      <section class="scr" tabIndex={0} aria-label={texts.row}>
        <EntryForm
          kind="row"
          value={row}
          path={`/tier_list/rows/${at}`}
          without={['item_ids']}
          onChange={(name, label, value) =>
            edit(texts.change(label), (draft) =>
              changeRow(draft, row.id, (each) => {
                if (value === undefined) delete (each as Record<string, unknown>)[name];
                else (each as Record<string, unknown>)[name] = value;
              }),
            )
          }
          onReplace={(next) =>
            edit(texts.changeRow, (draft) =>
              changeRow(draft, row.id, (each) => void Object.assign(each, next, { id: row.id })),
            )
          }
        >
          <div class="fields">
            <Field
              field={EFFECT}
              value={project.value.settings.effects?.[row.id]}
              path={`/settings/effects/${row.id}`}
              errors={planned.value.errors}
              warnings={planned.value.warnings}
              onChange={(value) =>
                edit(texts.change(texts.effect), (draft) =>
                  changeEffect(draft, row.id, value as EffectName | undefined),
                )
              }
            />
          </div>
        </EntryForm>
      </section>
    </>
  );
}

/** A file and its actions. */
function MediaPanel({ field, entry }: { readonly field: string; readonly entry: MediaEntry }) {
  const isPicture = entry.kind === 'still' || entry.kind === 'drawing' || entry.kind === 'animation';
  return (
    <>
      <div class="phd">
        <h2>{texts.file}</h2>
      </div>
      <section class="scr" tabIndex={0} aria-label={texts.file}>
        <div class="media-large">
          <Thumb entry={entry} />
        </div>
        <p class="media-name">{entry.name}</p>
        <p class="q">
          {factWords(entry)} · {megabytes(entry.bytes)}
        </p>
        <div class="stack">
          {entry.kind !== 'audio' && entry.kind !== 'drawing' && (
            <Put field={field} entry={entry} lane="videos" words={texts.clipHere} />
          )}
          {(entry.kind === 'audio' || entry.sound) && (
            <Put
              field={field}
              entry={entry}
              lane={entry.kind === 'audio' ? 'soundtracks' : 'audios'}
              words={entry.kind === 'audio' ? texts.soundHere : texts.clipSoundHere}
            />
          )}
          {isPicture && (
            <button
              type="button"
              class="bt wide"
              onClick={() => edit(page.addItem, (draft) => addItem(draft, field, entry))}
            >
              <Icon name="board" />
              {texts.makeItem}
            </button>
          )}
          <button
            type="button"
            class="bt wide quiet-button"
            onClick={() => {
              if (isFileLocked(project.value, field)) {
                say(page.lockedEntries);
                return;
              }
              selection.value = NOTHING;
              edit(page.removeNamed(entry.name), (draft) => removeMedia(draft, field));
              focusSoon('.bin .scr button', '.bin button');
            }}
          >
            <Icon name="trash" />
            {page.removeFromProject}
          </button>
        </div>
      </section>
    </>
  );
}

interface PutProps {
  readonly field: string;
  readonly entry: MediaEntry;
  readonly lane: LaneName;
  readonly words: string;
}

function Put({ field, entry, lane, words }: PutProps) {
  return (
    <button
      type="button"
      class="bt wide"
      onClick={() => {
        const start = written(playhead.value, rate.value);
        edit(page.addNamed(entry.name), (draft) => void placeMedia(draft, field, entry, { lane, start }));
      }}
    >
      <Icon name={lane === 'videos' ? 'film' : 'sound'} />
      {words}
    </button>
  );
}

type ThemeName = (typeof THEMES)[number];

/** Row colours of the samples. */
const ROWS = ['#ff7f85', '#ffb873', '#8ee59c'];

/** The theme of the board, with a sample of each. (C47) */
function ThemeChoice() {
  const { theme } = settings.value;
  const base = typeof theme === 'string' ? theme : (theme?.base ?? THEMES[0]);
  return (
    <>
      <span class="l" aria-hidden="true">
        {texts.theme}
      </span>
      <Radios
        label={texts.theme}
        class="themes"
        each="theme"
        value={base}
        choices={THEMES.map((name) => ({ value: name, words: <ThemeSample name={name} /> }))}
        onChoose={chooseTheme}
      />
    </>
  );
}

function chooseTheme(base: ThemeName): void {
  edit(texts.changeTheme, (draft) => {
    const { theme } = draft.settings;
    // The user's own colours stay when the theme changes.
    draft.settings.theme = typeof theme === 'object' ? { ...theme, base } : base;
  });
}

function ThemeSample({ name }: { readonly name: ThemeName }) {
  const { panel, lane } = plainTheme(name);
  return (
    <>
      <span class="theme-look" data-theme={name} style={{ background: panel }}>
        {ROWS.map((row) => (
          <i key={row} style={{ '--row': row, '--lane': lane }} />
        ))}
      </span>
      {choiceWords('theme', name)}
    </>
  );
}

/** The font of the board and of all texts, with a sample of each family. (C63) */
function FontPicker() {
  const { theme } = settings.value;
  const own = typeof theme === 'object' ? theme : {};
  return (
    <>
      <span class="l" aria-hidden="true">
        {texts.font}
      </span>
      <Radios
        label={texts.font}
        class="fonts"
        each="font"
        // A font file overrides the name, so none of these is selected.
        value={own.font_field === undefined ? (own.font ?? FONTS[0]) : ''}
        choices={FONTS.map((name) => ({ value: name, words: <FontSample name={name} /> }))}
        onChoose={(name) => chooseFont(name as FontName)}
      />
    </>
  );
}

function chooseFont(name: FontName): void {
  edit(texts.changeFont, (draft) => {
    const { theme } = draft.settings;
    const { font: _, font_field: _field, ...rest } = typeof theme === 'object' ? theme : { base: theme };
    const next = name === FONTS[0] ? rest : { ...rest, font: name };
    draft.settings.theme = Object.keys(next).some((key) => key !== 'base') ? next : next.base;
  });
}

function FontSample({ name }: { readonly name: FontName }) {
  const file = `${studioConfig.assets}font-samples/${name.toLowerCase().replaceAll(' ', '-')}.png`;
  return (
    <>
      <span class="unseen">{name}</span>
      <i class="font-look" style={{ maskImage: `url(${file})` }} />
    </>
  );
}
