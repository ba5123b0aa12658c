import { useSignal } from '@preact/signals';
import { useId, useRef } from 'preact/hooks';
import type { TemplateField } from '../../timeline/project/template-fields.ts';
import { fieldFaults, missingFields } from '../document/field-faults.ts';
import { setDefault } from '../document/settle-template.ts';
import { withoutTemplate } from '../document/template-commands.ts';
import { startEpisode } from '../keeping/episodes.ts';
import { focusSoon, useWantedField } from '../keys/move-focus.ts';
import { studioConfig } from '../kit/assets.ts';
import { Icon } from '../kit/icon.tsx';
import { say } from '../kit/messages.ts';
import { edit, project, undo } from '../session/session.ts';
import * as texts from '../texts/en/series.ts';
import { EpisodeItems } from './episode-items.tsx';
import { FileInput } from './file-input.tsx';
import { ValueInput } from './value-input.tsx';

/** The form of an episode: a value for each field, beside the preview that follows. */
export function EpisodeForm({ onMake }: { readonly onMake: () => void }) {
  useWantedField();
  const form = useRef<HTMLFormElement>(null);
  /** Whether missing values are reported: from the first try on. */
  const tried = useSignal(false);
  const { value: open } = project;
  const { template } = open;
  if (template?.episode === undefined) return null;
  const faults = fieldFaults(open, studioConfig.limits);
  const missing = new Set(missingFields(open).map(({ name }) => name));
  const faultOf = (name: string) => faults.get(name) ?? (tried.value && missing.has(name) ? texts.missing : null);
  const make = () => {
    tried.value = true;
    if (faults.size + missing.size === 0) onMake();
    else
      requestAnimationFrame(() =>
        form.current?.querySelector<HTMLElement>('.wrong :is(input, select, textarea, button)')?.focus(),
      );
  };
  return (
    <aside class="insp episode-form" aria-label={texts.episode}>
      <div class="phd">
        <h2>
          {texts.episode} <small>{texts.episodeOf(template.episode.name)}</small>
        </h2>
      </div>
      <form
        ref={form}
        class="scr"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          make();
        }}
      >
        {template.fields.map((field) => (
          <EpisodeField key={field.name} field={field} fault={faultOf(field.name)} />
        ))}
        <div class="stack">
          <button type="submit" class="bt prim wide">
            {texts.makeVideo}
          </button>
          <button type="button" class="bt wide" title={texts.openInEditorHelp} onClick={openInEditor}>
            {texts.openInEditor}
          </button>
          <button
            type="button"
            class="bt wide quiet-button"
            onClick={() => void startEpisode().then(() => focusSoon('.episode-form input'))}
          >
            <Icon name="plus" />
            {texts.anotherEpisode}
          </button>
        </div>
      </form>
    </aside>
  );
}

function openInEditor(): void {
  edit(texts.openInEditor, (draft) => {
    const plain = withoutTemplate(project.value);
    delete draft.template;
    Object.assign(draft, plain);
  });
  say(texts.openedInEditor, 'word', undo);
  focusSoon('.pv-play', '.tl-list');
}

function EpisodeField({ field, fault }: { readonly field: TemplateField; readonly fault: string | null }) {
  const { name, type, label, help, required } = field;
  const id = useId();
  const words = label ?? name;
  const described = [help === null ? null : `${id}-help`, fault === null ? null : `${id}-fault`];
  const about = described.filter((each) => each !== null).join(' ') || undefined;
  const isGroup = type === 'items' || type === 'media';
  const head = (
    <>
      {words} {!required && <small>{texts.optional}</small>}
    </>
  );
  return (
    <div class={`fld ef ${fault === null ? '' : 'wrong'}`} data-field={name} data-type={type}>
      {isGroup ? (
        <span class="l" id={`${id}-label`}>
          {head}
        </span>
      ) : (
        <label for={id}>{head}</label>
      )}
      {help !== null && (
        <p id={`${id}-help`} class="ef-help">
          {help}
        </p>
      )}
      {type === 'items' && <EpisodeItems labelled={`${id}-label`} />}
      {type === 'media' && <FileInput field={field} labelled={`${id}-label`} />}
      {!isGroup && (
        <ValueInput
          id={id}
          field={field}
          value={field.default}
          invalid={fault !== null}
          described={about}
          onChange={(value) => edit(texts.setValue(words), (draft) => setDefault(draft, name, value))}
        />
      )}
      {fault !== null && (
        <p id={`${id}-fault`} class="field-note isbad">
          <Icon name="error" />
          <span>{fault}</span>
        </p>
      )}
    </div>
  );
}
