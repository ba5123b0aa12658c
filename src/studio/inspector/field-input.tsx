import { mediaOf } from '../document/project.ts';
import { project } from '../session.ts';
import type { FieldDescription } from './field-descriptions.ts';

interface InputProps {
  readonly id: string;
  readonly help: string | undefined;
  readonly field: FieldDescription;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly invalid: boolean;
}

/** What a field is written or chosen in, by its kind. */
export function FieldInput({ id, help, field, value, onChange, invalid }: InputProps) {
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
