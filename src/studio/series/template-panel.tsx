import { fieldFaults, unknownNames, unusedFields } from '../document/field-faults.ts';
import { candidatesIn } from '../document/field-places.ts';
import { makeField } from '../document/template-commands.ts';
import { usesOf } from '../document/template-uses.ts';
import { startEpisode } from '../keeping/episodes.ts';
import { focusSoon, useWantedField } from '../keys/move-focus.ts';
import { studioConfig } from '../kit/assets.ts';
import { Icon } from '../kit/icon.tsx';
import { Menu, MenuItem } from '../kit/menu.tsx';
import { useTyped } from '../kit/use-typed.ts';
import { edit, project, tableOpen } from '../session/session.ts';
import { makeFieldHere, showField, shownField } from '../session/shown-field.ts';
import * as page from '../texts/en/page.ts';
import * as texts from '../texts/en/series.ts';
import * as tableTexts from '../texts/en/table.ts';
import { CopyRequest } from './copy-request.tsx';
import { FieldCard } from './field-card.tsx';

/** The fields of the template, and what is made from it. */
export function TemplatePanel() {
  useWantedField();
  const { value: open } = project;
  const { template } = open;
  if (template === undefined) return null;
  const { fields } = template;
  const uses = usesOf(open);
  const faults = fieldFaults(open, studioConfig.limits);
  const unused = unusedFields(open);
  const faultOf = (name: string, type: string) => {
    const known = faults.get(name);
    if (known !== undefined) return known;
    if (!unused.has(name)) return null;
    return type === 'media' ? texts.notUsedFile : texts.notUsed(name);
  };
  return (
    <aside
      class="insp template-panel"
      aria-label={texts.template}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || shownField.value === null) return;
        event.stopPropagation();
        event.preventDefault();
        shownField.value = null;
        focusSoon('.tf-head');
      }}
    >
      <div class="phd">
        <h2>{texts.template}</h2>
      </div>
      <section class="scr" tabIndex={0} aria-label={texts.fields}>
        <Name name={template.name ?? ''} />
        <h3>{texts.fields}</h3>
        {fields.length === 0 && <p class="q">{texts.fieldsHelp}</p>}
        <ul class="tfs">
          {fields.map((field, at) => (
            <FieldCard
              key={field.name}
              field={field}
              at={at}
              count={fields.length}
              uses={uses.get(field.name) ?? []}
              fault={faultOf(field.name, field.type)}
            />
          ))}
        </ul>
        {unknownNames(open).map((name) => (
          <p key={name} class="field-note isbad" role="alert">
            <Icon name="error" />
            <span>{texts.unknownField(name)}</span>
            <button type="button" class="lk" onClick={() => addUnknown(name)}>
              {texts.addUnknown}
            </button>
          </p>
        ))}
        <AddField />
        {fields.length > 0 && <p class="q tf-more">{texts.fieldsHelp}</p>}
      </section>
      <div class="tf-foot">
        <button
          type="button"
          class="bt prim wide"
          title={texts.newEpisodeHelp}
          disabled={fields.length === 0}
          onClick={() => void startEpisode().then(() => focusSoon('.episode-form input', '.episode-form select'))}
        >
          {texts.newEpisode}
        </button>
        <button
          type="button"
          class="bt wide"
          title={tableTexts.openTableHelp}
          disabled={fields.length === 0}
          onClick={() => {
            tableOpen.value = true;
            focusSoon('.tb-grid', '.tb-form input');
          }}
        >
          {tableTexts.openTable}
        </button>
        {studioConfig.service !== null && fields.length > 0 && <CopyRequest />}
      </div>
    </aside>
  );
}

function addUnknown(name: string): void {
  edit(texts.makeField(name), (draft) => void makeField(draft, { type: 'text', label: name, place: '' }));
  showField(name);
}

function Name({ name }: { readonly name: string }) {
  const typed = useTyped(
    name,
    (text) =>
      edit(texts.renameTemplate, (draft) => {
        draft.template!.name = text.trim();
      }),
    { asTyped: true },
  );
  return (
    <div class="fld">
      <label for="template-name">{texts.templateName}</label>
      <input id="template-name" type="text" maxLength={200} placeholder={page.untitled} {...typed} />
    </div>
  );
}

/** All that may become a field, as a menu. */
function AddField() {
  const candidates = candidatesIn(project.value);
  return (
    <Menu
      class="bt wide tf-add"
      button={
        <>
          <Icon name="plus" />
          {texts.addField}
        </>
      }
    >
      <p class="menu-title">{candidates.length === 0 ? texts.everythingIsField : texts.addFieldOf}</p>
      {candidates.slice(0, 30).map((candidate) => (
        <MenuItem
          key={`${candidate.place} ${candidate.part ?? ''}`}
          class="tf-candidate"
          onClick={() => makeFieldHere(candidate)}
        >
          <span>{candidate.label}</span>
          <small>{candidate.shown}</small>
        </MenuItem>
      ))}
    </Menu>
  );
}
