import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { requestSchemas } from '../../timeline/schema.ts';
import { issuesAt } from '../document/selection-at.ts';
import { studioConfig } from '../kit/assets.ts';
import { Icon } from '../kit/icon.tsx';
import { useTyped } from '../kit/use-typed.ts';
import { developer } from '../session/developer.ts';
import { planned, settings } from '../session/session.ts';
import * as texts from '../texts/en/inspector.ts';
import { Field, FieldNote } from './field-control.tsx';
import { type Described, describeFields, type FieldDescription } from './field-descriptions.ts';
import { sharedFields } from './shared-fields.ts';

const FIELDS = describeFields(studioConfig.limits, studioConfig.presets);
const SCHEMAS = requestSchemas(studioConfig.limits);

/** For users who write documents by hand. */
const DEVELOPER_FIELDS = /^(crop_unit|volume_unit|trim_end_as|encoder_preset)$/;

/** Groups of rarely used fields, by name. A field is in the first group that matches. */
const GROUPS: readonly { readonly title: string; readonly belongs: RegExp; readonly ofSettings: boolean }[] = [
  { title: texts.place, belongs: /^(x|y|width|height)_percent$/, ofSettings: false },
  { title: texts.crop, belongs: /^crop_[xywh]$/, ofSettings: false },
  {
    title: texts.looks,
    belongs: /^(shape|border_color|border_width|shadow|enter|exit|enter_duration|exit_duration)$/,
    ofSettings: false,
  },
  { title: texts.file, belongs: /^(width|height|encoder_preset|audio_bitrate|file_name)$/, ofSettings: true },
  { title: texts.units, belongs: /^(crop_unit|volume_unit|trim_end_as)$/, ofSettings: true },
];

interface EntryFormProps {
  readonly kind: Described;
  readonly value: object;
  readonly path: string;
  /** Fields that are shown elsewhere. */
  readonly without?: readonly string[];
  readonly onChange: (name: string, label: string, value: unknown) => void;
  readonly onReplace: (value: object) => void;
  /** Content between the plain fields and the groups. */
  readonly children?: ComponentChildren;
}

/** All fields of an entry, with its errors and warnings. */
export function EntryForm({ kind, value, path, without = [], onChange, onReplace, children }: EntryFormProps) {
  const { errors, warnings } = planned.value;
  const record = value as Readonly<Record<string, unknown>>;
  const shown = FIELDS[kind]
    .filter((each) => each.name !== 'id' && !without.includes(each.name) && isOfUse(each, record))
    .filter(({ name }) => developer.value || !DEVELOPER_FIELDS.test(name))
    .map((each) => withoutInner(each, without));
  return (
    <>
      <OtherNotes path={path} fields={shown.map(({ name }) => name)} />
      <FieldSheet
        fields={shown}
        isSettings={kind === 'settings'}
        field={(each) => (
          <Field
            key={each.name}
            field={each}
            value={record[each.name]}
            path={`${path}/${each.name}`}
            errors={errors}
            warnings={warnings}
            onChange={(next) => onChange(each.name, each.label, next)}
          />
        )}
      >
        {children}
      </FieldSheet>
      {developer.value && <AsJson kind={kind} value={value} onReplace={onReplace} />}
    </>
  );
}

interface SharedFormProps {
  /** The kind and value of each entry. */
  readonly entries: readonly { readonly kind: Described; readonly value: object }[];
  readonly onChange: (name: string, label: string, value: unknown) => void;
}

/** The fields that several entries have in common; different values are shown as mixed. */
export function SharedForm({ entries, onChange }: SharedFormProps) {
  const { errors, warnings } = planned.value;
  const shared = sharedFields(FIELDS, entries).filter(({ field }) =>
    entries.every(({ value }) => isOfUse(field, value as Readonly<Record<string, unknown>>)),
  );
  const values = new Map(shared.map(({ field, value }) => [field.name, value]));
  return (
    <FieldSheet
      fields={shared.map(({ field }) => field)}
      field={(each) => (
        <Field
          key={each.name}
          field={each}
          value={values.get(each.name)}
          // No path, since errors belong to single entries.
          path=""
          errors={errors}
          warnings={warnings}
          onChange={(next) => onChange(each.name, each.label, next)}
        />
      )}
    />
  );
}

interface FieldSheetProps {
  readonly fields: readonly FieldDescription[];
  readonly isSettings?: boolean;
  readonly field: (each: FieldDescription) => ComponentChildren;
  /** Content between the plain fields and the groups. */
  readonly children?: ComponentChildren;
}

/** Plain fields, then groups, then nested fields. */
function FieldSheet({ fields: shown, isSettings = false, field, children }: FieldSheetProps) {
  const groups = GROUPS.map(({ title, belongs, ofSettings }) => ({
    title,
    fields: shown.filter(
      ({ name, control }) => belongs.test(name) && control.kind !== 'object' && isSettings === ofSettings,
    ),
  })).filter(({ fields }) => fields.length > 0);
  const grouped = new Set(groups.flatMap(({ fields }) => fields));
  const nested = shown.filter(({ control }) => /object|by-preset/.test(control.kind));
  const plain = shown.filter((each) => !grouped.has(each) && !nested.includes(each));
  return (
    <>
      <div class="fields">{inPairs(plain).map(field)}</div>
      {children}
      {groups.map(({ title, fields }) => (
        <details key={title} class="grp-fields">
          <summary>
            <Icon name="right" />
            {title}
          </summary>
          <div class="fields">{fields.map(field)}</div>
        </details>
      ))}
      {nested.map(field)}
    </>
  );
}

/** Related fields are side by side; all others keep the order of the schema. */
const PAIRS = ['trim_start', 'trim_end', 'speed', 'volume', 'loop', 'fade_in', 'fade_out', 'fit'];

function inPairs(fields: readonly FieldDescription[]): FieldDescription[] {
  const isPaired = ({ name }: FieldDescription) => PAIRS.includes(name);
  const paired = fields.filter(isPaired).toSorted((a, b) => PAIRS.indexOf(a.name) - PAIRS.indexOf(b.name));
  return fields.map((each) => (isPaired(each) ? paired.shift()! : each));
}

/** Hides an empty list, which has no control, and an index without a row. */
function isOfUse({ name, control }: FieldDescription, record: Readonly<Record<string, unknown>>): boolean {
  if (record[name] !== undefined) return true;
  if (name === 'hold' || name === 'stamp_at') return isSpotlight(record);
  return control.kind !== 'json' && (name !== 'index' || record.to_row !== undefined);
}

/** Whether a tile is a spotlight; `settings.reveal` does not apply to moves. (C55) */
function isSpotlight({ reveal, to_row: moved }: Readonly<Record<string, unknown>>): boolean {
  return (reveal ?? (moved === undefined ? settings.value.reveal : undefined)) === 'spotlight';
}

/** Fields that are shown elsewhere for all presets are also shown there for each preset. */
function withoutInner(field: FieldDescription, without: readonly string[]): FieldDescription {
  const { control } = field;
  if (control.kind !== 'by-preset' || without.length === 0) return field;
  return { ...field, control: { ...control, fields: control.fields.filter(({ name }) => !without.includes(name)) } };
}

/** Errors and warnings that belong to none of the shown fields. */
function OtherNotes({ path, fields }: { readonly path: string; readonly fields: readonly string[] }) {
  const { errors, warnings } = planned.value;
  const own = new Set(fields.map((name) => `${path}/${name}`));
  const other = (issues: typeof errors) => issuesAt(issues, path).filter((issue) => !own.has(issue.path));
  return (
    <>
      {other(errors).map((issue) => (
        <FieldNote key={issue.code + issue.path} issue={issue} bad />
      ))}
      {other(warnings).map((issue) => (
        <FieldNote key={issue.code + issue.path} issue={issue} bad={false} />
      ))}
    </>
  );
}

/** The entry as JSON, editable. */
function AsJson({ kind, value, onReplace }: Pick<EntryFormProps, 'kind' | 'value' | 'onReplace'>) {
  const fault = useSignal<string | null>(null);
  const id = useId();
  const text = JSON.stringify(value, null, 2);
  const typed = useTyped(text, (json) => {
    const next = readEntry(kind, json);
    fault.value = typeof next === 'string' ? next : null;
    if (typeof next !== 'string') onReplace(next);
  });
  return (
    <details class="grp-fields">
      <summary>
        <Icon name="right" />
        {texts.asJson}
      </summary>
      <label class="unseen" for={id}>
        {texts.asJson}
      </label>
      <textarea
        id={id}
        class="area code"
        spellcheck={false}
        rows={Math.min(16, text.split('\n').length + 1)}
        {...typed}
      />
      {fault.value !== null && <p class="field-note isbad">{fault.value}</p>}
    </details>
  );
}

/** The typed entry, or an error message. */
function readEntry(kind: Described, text: string): object | string {
  try {
    const read = SCHEMAS[kind].safeParse(JSON.parse(text));
    if (read.success) return read.data;
    const [issue] = read.error.issues;
    return texts.mustBe(issue!.path.join('.') || texts.theEntry, issue!.message);
  } catch {
    return texts.notJson;
  }
}
