import { useId } from 'preact/hooks';
import type { Issue } from '../../errors.ts';
import { studioConfig } from '../assets.ts';
import { mediaOf } from '../document/project.ts';
import { shapeName } from '../export/shape-name.ts';
import { project, shape } from '../session.ts';
import { Icon } from '../shell/icon.tsx';
import type { FieldDescription } from './field-descriptions.ts';

export interface FieldProps {
  readonly field: FieldDescription;
  readonly value: unknown;
  /** undefined: absent from now on. */
  readonly onChange: (value: unknown) => void;
  /** Its own pointer, and what is wrong or doubtful there. */
  readonly path: string;
  readonly errors: readonly Issue[];
  readonly warnings: readonly Issue[];
}

/** A field with its label, its help while it has the focus, and what is wrong with it. */
export function Field(props: FieldProps) {
  const { field, value, onChange, path, errors, warnings } = props;
  const id = useId();
  const { control } = field;
  if (control.kind === 'object' || control.kind === 'named-object' || control.kind === 'by-shape')
    return <Nested {...props} />;
  const wrong = errors.find((issue) => issue.path === path);
  const doubtful = warnings.find((issue) => issue.path === path);
  const help = field.help === '' ? undefined : `${id}-help`;
  return (
    <div
      class={`fld ${control.kind === 'yes' ? 'inline' : ''} ${wrong === undefined ? '' : 'wrong'}`}
      data-field={field.name}
    >
      <label for={id}>{field.label}</label>
      <Input id={id} help={help} field={field} value={value} onChange={onChange} invalid={wrong !== undefined} />
      {help !== undefined && (
        <p id={help} class="hint">
          {field.help.replaceAll('`', '')}
        </p>
      )}
      {wrong !== undefined && <FieldNote issue={wrong} bad />}
      {doubtful !== undefined && <FieldNote issue={doubtful} bad={false} />}
    </div>
  );
}

export function FieldNote({ issue, bad }: { readonly issue: Issue; readonly bad: boolean }) {
  return (
    <p class={`field-note ${bad ? 'isbad' : 'iswarn'}`}>
      <Icon name={bad ? 'error' : 'warn'} />
      <span>{issue.message}</span>
    </p>
  );
}

interface InputProps {
  readonly id: string;
  readonly help: string | undefined;
  readonly field: FieldDescription;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly invalid: boolean;
}

function Input({ id, help, field, value, onChange, invalid }: InputProps) {
  const { control } = field;
  const about = { id, 'aria-invalid': invalid, ...(help !== undefined && { 'aria-describedby': help }) };
  switch (control.kind) {
    case 'number':
      return (
        <input
          {...about}
          type="text"
          inputMode="decimal"
          class="num"
          value={value === undefined ? '' : String(value)}
          placeholder={field.usual ?? '—'}
          onChange={(event) => onChange(numberFrom(event.currentTarget.value, value))}
          onKeyDown={(event) => stepBy(event, value, onChange)}
        />
      );
    case 'yes':
      return (
        <input
          {...about}
          type="checkbox"
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked ? true : undefined)}
        />
      );
    case 'color':
      return (
        <span class="color-field">
          <input
            type="color"
            class={typeof value === 'string' || field.usual !== undefined ? '' : 'unset'}
            aria-label={`${field.label}: choose`}
            value={typeof value === 'string' ? value : (field.usual ?? '#000000')}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
          <input
            {...about}
            type="text"
            class="num"
            maxLength={7}
            placeholder={field.usual ?? '—'}
            value={typeof value === 'string' ? value : ''}
            onChange={(event) => onChange(event.currentTarget.value.trim() || undefined)}
          />
        </span>
      );
    case 'choice':
    case 'file':
      return (
        <select
          {...about}
          value={typeof value === 'string' ? value : (field.usual ?? '')}
          onChange={(event) => onChange(chosen(event.currentTarget.value, field))}
        >
          {!field.required && field.usual === undefined && <option value="">default</option>}
          {choicesOf(control, value).map(([choice, words]) => (
            <option key={choice} value={choice}>
              {words}
            </option>
          ))}
        </select>
      );
    case 'text':
      if (control.long) {
        return (
          <textarea
            {...about}
            class="area"
            rows={3}
            value={typeof value === 'string' ? value : ''}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        );
      }
      return (
        <input
          {...about}
          type="text"
          placeholder={field.usual ?? '—'}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) =>
            onChange(event.currentTarget.value === '' && !field.required ? undefined : event.currentTarget.value)
          }
        />
      );
    default:
      return (
        <output {...about} class="json-value">
          {value === undefined ? '—' : JSON.stringify(value)}
        </output>
      );
  }
}

/** What is the case anyway need not be said. */
function chosen(value: string, { usual }: FieldDescription): string | undefined {
  return value === '' || value === usual ? undefined : value;
}

/** What can be chosen, and the words for it: of files all there are, and the one that is named but missing. */
function choicesOf(
  control: Extract<FieldDescription['control'], { kind: 'choice' | 'file' }>,
  value: unknown,
): readonly (readonly [choice: string, words: string])[] {
  if (control.kind === 'choice') {
    // What somebody else wrote may be another name for one of them.
    const isOther = typeof value === 'string' && value !== '' && !control.choices.includes(value);
    const all = isOther ? [value, ...control.choices] : control.choices;
    return all.map((choice) => [choice, choice.replaceAll('_', ' ')]);
  }
  const { coming, media } = project.value.studio;
  const files = Object.entries({ ...coming, ...media }).map(([name, entry]) => [name, entry.name] as const);
  const own = control.also.map((name) => [name, name] as const);
  const isKnown =
    typeof value !== 'string' || control.also.includes(value) || mediaOf(project.value, value) !== undefined;
  return isKnown ? [...own, ...files] : [[value, `${value} (missing)`], ...own, ...files];
}

/** A comma is a point; what is no number stays as it was. */
function numberFrom(text: string, before: unknown): unknown {
  const trimmed = text.trim().replace(',', '.');
  if (trimmed === '') return undefined;
  const number = Number(trimmed);
  return Number.isFinite(number) ? number : before;
}

/** Up and down change a number by a tenth, with Shift by one. */
function stepBy(event: KeyboardEvent, value: unknown, onChange: (value: unknown) => void): void {
  if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
  event.preventDefault();
  const step = (event.shiftKey ? 1 : 0.1) * (event.key === 'ArrowUp' ? 1 : -1);
  const typed = numberFrom((event.currentTarget as HTMLInputElement).value, value);
  onChange(Math.round(((typeof typed === 'number' ? typed : 0) + step) * 1000) / 1000);
}

/** Fields of fields. */
function Nested({ field, value, onChange, path, errors, warnings }: FieldProps) {
  const { control } = field;
  if (control.kind === 'by-shape') return <ByShape {...{ field, value, onChange, path, errors, warnings }} />;
  if (control.kind !== 'object' && control.kind !== 'named-object') return null;
  const named = typeof value === 'string' ? value : undefined;
  const inner = asRecord(value);
  const base = named ?? (typeof inner.base === 'string' ? inner.base : undefined);
  const set = (name: string, next: unknown) => {
    const from = named === undefined ? inner : { base: named };
    onChange(withField(from, name, next));
  };
  return (
    <details class="grp-fields">
      <summary>
        <Icon name="right" />
        {field.label}
        {base !== undefined && <small>{base}</small>}
      </summary>
      {control.kind === 'named-object' && (
        <Field
          {...{ path, errors, warnings }}
          field={{ ...field, label: 'Based on', control: { kind: 'choice', choices: control.choices } }}
          value={base}
          onChange={(next) => (Object.keys(inner).length > 0 ? set('base', next) : onChange(next))}
        />
      )}
      <div class="fields">
        {control.fields.map((each) => (
          <Field
            key={each.name}
            field={each}
            value={inner[each.name]}
            path={`${path}/${each.name}`}
            errors={errors}
            warnings={warnings}
            onChange={(next) => set(each.name, next)}
          />
        ))}
      </div>
    </details>
  );
}

/** What is different in the shape that is looked at. (C42) */
function ByShape({ field, value, onChange, path, errors, warnings }: FieldProps) {
  if (field.control.kind !== 'by-shape' || field.control.fields.length === 0) return null;
  const all = asRecord(value);
  const preset = studioConfig.presets.find(({ name }) => name === shape.value) ?? studioConfig.presets[0];
  const names = [preset.name, ...preset.aliases];
  const key = Object.keys(all).find((each) => names.includes(each)) ?? preset.aliases[0] ?? preset.name;
  const inner = asRecord(all[key]);
  return (
    <details class="grp-fields" open={Object.keys(inner).length > 0}>
      <summary>
        <Icon name="right" />
        Different in {shapeName(preset.name).toLowerCase()}
      </summary>
      <div class="fields">
        {field.control.fields.map((each) => (
          <Field
            key={each.name}
            field={each}
            value={inner[each.name]}
            path={`${path}/${key}/${each.name}`}
            errors={errors}
            warnings={warnings}
            onChange={(next) => {
              const changed = withField(inner, each.name, next);
              onChange(withField(all, key, changed));
            }}
          />
        ))}
      </div>
    </details>
  );
}

/** A copy with a field changed; undefined where nothing is left. */
function withField(
  object: Readonly<Record<string, unknown>>,
  name: string,
  value: unknown,
): Record<string, unknown> | undefined {
  const next = { ...object, [name]: value };
  if (value === undefined) delete next[name];
  return Object.keys(next).length === 0 ? undefined : next;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
