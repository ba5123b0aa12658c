import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { requestSchemas } from '../../timeline/document-schemas.ts';
import type { FieldGroup } from '../../timeline/field.ts';
import { issuesAt } from '../document/selection.ts';
import { studioConfig } from '../kit/assets.ts';
import { Icon } from '../kit/icon.tsx';
import { useTyped } from '../kit/use-typed.ts';
import { developer, planned, settings } from '../session/session.ts';
import * as texts from '../texts/en/inspector.ts';
import { circumstances, Field, FieldNote } from './field-control.tsx';
import { type Described, describeFields, type FieldDescription, withUsual } from './field-descriptions.ts';
import { sharedFields } from './field-values.ts';

const FIELDS = describeFields(studioConfig.limits, studioConfig.presets);
const SCHEMAS = requestSchemas(studioConfig.limits);

/** Groups of rarely used fields. */
const GROUPS = [
  { group: 'place', title: texts.place },
  { group: 'crop', title: texts.crop },
  { group: 'looks', title: texts.looks },
  { group: 'file', title: texts.file },
  { group: 'units', title: texts.units },
] as const satisfies readonly { readonly group: FieldGroup; readonly title: string }[];

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
    .filter(({ row }) => developer.value || row.developer !== true)
    .map((each) => withUsual(withoutInner(each, without), record, circumstances()));
  return (
    <>
      <OtherNotes path={path} fields={shown.map(({ name }) => name)} />
      <FieldSheet
        fields={shown}
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
  const shared = sharedFields(FIELDS, entries, circumstances()).filter(({ field }) =>
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
  readonly field: (each: FieldDescription) => ComponentChildren;
  /** Content between the plain fields and the groups. */
  readonly children?: ComponentChildren;
}

/** Plain fields, then groups, then nested fields. */
function FieldSheet({ fields: shown, field, children }: FieldSheetProps) {
  const groups = GROUPS.map(({ title, group }) => ({ title, fields: shown.filter(({ row }) => row.group === group) }));
  const nested = shown.filter(({ control }) => /object|by-preset/.test(control.kind));
  const plain = shown.filter((each) => each.row.group === undefined && !nested.includes(each));
  return (
    <>
      <div class="fields">{plain.map(field)}</div>
      {children}
      {groups.map(
        ({ title, fields }) =>
          fields.length > 0 && (
            <details key={title} class="grp-fields">
              <summary>
                <Icon name="right" />
                {title}
              </summary>
              <div class="fields">{fields.map(field)}</div>
            </details>
          ),
      )}
      {nested.map(field)}
    </>
  );
}

/** Hides what has no control, and what has no effect beside the other fields, unless it is there. */
function isOfUse({ name, row, control }: FieldDescription, record: Readonly<Record<string, unknown>>): boolean {
  if (record[name] !== undefined) return true;
  const when = row.when as ((entry: object, of: object) => boolean) | undefined;
  return control.kind !== 'json' && (when?.(record, settings.value) ?? true);
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
