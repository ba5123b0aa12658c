import { useId } from 'preact/hooks';
import { AUTO_DEFAULTS } from '../../timeline/auto-timeline.ts';
import { TEMPLATE_TYPES, type TemplateField } from '../../timeline/project/template-fields.ts';
import { usedAt } from '../document/field-places.ts';
import { setDefault } from '../document/settle-template.ts';
import { changeField, deleteField, moveField, putSecondsPerItem, renameField } from '../document/template-commands.ts';
import { focusSoon } from '../keys/move-focus.ts';
import { Icon, IconButton } from '../kit/icon.tsx';
import { say } from '../kit/messages.ts';
import { useTyped } from '../kit/use-typed.ts';
import { edit, project, selection, undo } from '../session/session.ts';
import { shownField } from '../session/shown-field.ts';
import * as texts from '../texts/en/series.ts';
import { ValueInput } from './value-input.tsx';

interface FieldCardProps {
  readonly field: TemplateField;
  readonly at: number;
  readonly count: number;
  /** The places where it is used. */
  readonly uses: readonly string[];
  /** What is wrong with it; null: nothing. */
  readonly fault: string | null;
}

/** A field of the template: one line, and its form when it is open. */
export function FieldCard({ field, at, count, uses, fault }: FieldCardProps) {
  const { name, label } = field;
  const isOpen = shownField.value === name;
  const words = label ?? name;
  const id = useId();
  return (
    <li class="tf" data-open={isOpen}>
      <button
        type="button"
        class="tf-head"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => {
          shownField.value = isOpen ? null : name;
        }}
      >
        <span class="tf-name">
          <b>{words}</b> <code>{`{{${name}}}`}</code>
        </span>
        <span class="q">{aboutField(field, uses.length)}</span>
      </button>
      {fault !== null && (
        <p class="field-note isbad" role="alert">
          <Icon name="error" />
          <span>{fault}</span>
        </p>
      )}
      {isOpen && (
        <div id={id} class="tf-form">
          <FieldForm field={field} invalid={fault !== null} />
          {uses.length > 0 && (
            <div class="fld">
              <span class="l">{texts.usedIn}</span>
              <ul class="tf-uses">
                {[...new Map(uses.map((use) => [usedAt(project.value, use).words, use])).values()].map((use) => (
                  <li key={use}>
                    <Use place={use} />
                  </li>
                ))}
              </ul>
            </div>
          )}
          <div class="tf-tools">
            <IconButton
              icon="up"
              label={texts.moveUp(words)}
              title={texts.moveUp(words)}
              disabled={at === 0}
              onClick={() => edit(texts.move(words), (draft) => moveField(draft, name, at - 1))}
            />
            <IconButton
              icon="down"
              label={texts.moveDown(words)}
              title={texts.moveDown(words)}
              disabled={at === count - 1}
              onClick={() => edit(texts.move(words), (draft) => moveField(draft, name, at + 1))}
            />
            <IconButton
              icon="trash"
              label={texts.deleteField(words)}
              title={texts.deleteField(words)}
              onClick={() => {
                edit(texts.deleteField(words), (draft) => deleteField(draft, name));
                shownField.value = null;
                focusSoon('.tf-head', '.tf-add');
                say(texts.deleted(words), 'word', undo);
              }}
            />
          </div>
        </div>
      )}
    </li>
  );
}

function Use({ place }: { readonly place: string }) {
  const { words, selection: there } = usedAt(project.value, place);
  if (there.kind === 'none') return <span class="q">{words}</span>;
  return (
    <button
      type="button"
      class="lk"
      onClick={() => {
        selection.value = there;
      }}
    >
      {words}
    </button>
  );
}

/** `text · Every snack, ranked · used 3 times`. */
function aboutField({ type, kind, default: usual, name }: TemplateField, uses: number): string {
  const { tier_list, studio } = project.value;
  if (type === 'items') {
    return [texts.types.items, texts.manyItems(tier_list.items.length), texts.boardAndReveals].join(' · ');
  }
  const file = studio.media[name]?.name;
  const value = type === 'media' ? (file ?? texts.noDefault) : usual === undefined ? texts.noDefault : String(usual);
  const words = type === 'media' && kind !== null ? texts.kinds[kind] : texts.types[type];
  return [words, value, ...(uses > 0 ? [texts.used(uses)] : [])].join(' · ');
}

/** Types between which a field in a text may change. */
const IN_TEXTS: readonly TemplateField['type'][] = TEMPLATE_TYPES.filter((type) => /^(text|number|choice)$/.test(type));

function FieldForm({ field, invalid }: { readonly field: TemplateField; readonly invalid: boolean }) {
  const { name, type, required, options, kind } = field;
  const words = field.label ?? name;
  const id = useId();
  const { auto } = project.value.template ?? {};
  const isBound = Object.values(project.value.template?.bound ?? {}).includes(name);
  const change = (changes: Parameters<typeof changeField>[2]) =>
    edit(texts.change(words), (draft) => changeField(draft, name, changes));
  const label = useTyped(field.label ?? '', (text) => change({ label: text.trim() || null }), { asTyped: true });
  const help = useTyped(field.help ?? '', (text) => change({ help: text.trim() || null }), { asTyped: true });
  const named = useTyped(name, (text, input) => {
    let after = name;
    edit(texts.change(words), (draft) => {
      after = renameField(draft, name, text);
    });
    if (after !== name) shownField.value = after;
    else if (text.trim() !== name) {
      input.value = name;
      say(texts.nameTaken(text.trim()), 'bad');
    }
  });
  const listed = useTyped(options.join('\n'), (text) => {
    const lines = text.split('\n').map((line) => line.trim());
    change({ options: [...new Set(lines.filter((line) => line !== ''))] });
  });
  const isPlain = type !== 'media' && type !== 'items';
  return (
    <>
      <div class="fields">
        <Labelled id={`${id}-label`} label={texts.label}>
          <input id={`${id}-label`} type="text" maxLength={200} placeholder={name} {...label} />
        </Labelled>
        <Labelled id={`${id}-name`} label={texts.nameInTexts}>
          <input id={`${id}-name`} type="text" class="num" maxLength={60} spellcheck={false} {...named} />
        </Labelled>
        {IN_TEXTS.includes(type) && !isBound && (
          <Labelled id={`${id}-type`} label={texts.type}>
            <select
              id={`${id}-type`}
              value={type}
              onChange={(event) => change({ type: event.currentTarget.value as TemplateField['type'] })}
            >
              {IN_TEXTS.map((each) => (
                <option key={each} value={each}>
                  {texts.types[each]}
                </option>
              ))}
            </select>
          </Labelled>
        )}
        {type === 'media' && (
          <Labelled id={`${id}-kind`} label={texts.kind}>
            <select
              id={`${id}-kind`}
              value={kind ?? ''}
              onChange={(event) => change({ kind: (event.currentTarget.value || null) as TemplateField['kind'] })}
            >
              <option value="">{texts.anyFile}</option>
              {Object.entries(texts.kinds).map(([each, shown]) => (
                <option key={each} value={each}>
                  {shown}
                </option>
              ))}
            </select>
          </Labelled>
        )}
        {isPlain && (
          <Labelled id={`${id}-default`} label={texts.defaultValue}>
            <ValueInput
              id={`${id}-default`}
              field={field}
              value={field.default}
              invalid={invalid}
              onChange={(value) => edit(texts.setValue(words), (draft) => setDefault(draft, name, value))}
            />
          </Labelled>
        )}
        {type === 'number' && (
          <Limit id={`${id}-min`} label={texts.smallest} value={field.min} onChange={(min) => change({ min })} />
        )}
        {(type === 'number' || type === 'text' || type === 'items') && (
          <Limit
            id={`${id}-max`}
            label={type === 'number' ? texts.largest : type === 'text' ? texts.mostCharacters : texts.mostItems}
            value={field.max}
            onChange={(max) => change({ max })}
          />
        )}
        {type === 'items' && auto !== undefined && (
          <Limit
            id={`${id}-seconds`}
            label={texts.secondsPerItem}
            value={auto.seconds_per_item ?? AUTO_DEFAULTS.secondsPerItem}
            onChange={(seconds) => edit(texts.change(words), (draft) => putSecondsPerItem(draft, seconds))}
          />
        )}
        <div class="fld inline">
          <label for={`${id}-required`}>{texts.required}</label>
          <input
            id={`${id}-required`}
            type="checkbox"
            checked={required}
            onChange={(event) => change({ required: event.currentTarget.checked })}
          />
        </div>
      </div>
      {type === 'choice' && (
        <Labelled id={`${id}-options`} label={texts.options}>
          <textarea id={`${id}-options`} class="area" rows={Math.min(8, options.length + 1)} {...listed} />
        </Labelled>
      )}
      <Labelled id={`${id}-help`} label={texts.help}>
        <input id={`${id}-help`} type="text" maxLength={2000} placeholder={texts.helpHint} {...help} />
      </Labelled>
    </>
  );
}

function Labelled(props: { readonly id: string; readonly label: string; readonly children: preact.ComponentChildren }) {
  return (
    <div class="fld">
      <label for={props.id}>{props.label}</label>
      {props.children}
    </div>
  );
}

interface LimitProps {
  readonly id: string;
  readonly label: string;
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
}

function Limit({ id, label, value, onChange }: LimitProps) {
  const typed = useTyped(value === null ? '' : String(value), (text) => {
    const number = Number(text.trim().replace(',', '.'));
    if (text.trim() === '') onChange(null);
    else if (Number.isFinite(number)) onChange(number);
  });
  return (
    <Labelled id={id} label={label}>
      <input id={id} type="text" inputMode="decimal" class="num" {...typed} />
    </Labelled>
  );
}
