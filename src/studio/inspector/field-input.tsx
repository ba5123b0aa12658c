import { mediaOf } from '../document/project.ts';
import { useTyped } from '../kit/use-typed.ts';
import { project, settings } from '../session/session.ts';
import * as texts from '../texts/en/inspector.ts';
import { choiceWords, unitOf, unsetWords } from './choice-words.ts';
import type { FieldDescription } from './field-descriptions.ts';
import { fitsField } from './field-values.ts';

interface InputProps {
  readonly id: string;
  readonly help: string | undefined;
  readonly field: FieldDescription;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly invalid: boolean;
}

/** The control of a field, by its kind. */
export function FieldInput({ id, help, field, value, onChange, invalid }: InputProps) {
  const { control } = field;
  // A default that depends on other fields is not the same as the choice that it is now.
  const fixed = field.varies ? undefined : field.usual;
  const placeholder = field.mixed ? texts.mixed : (field.usual ?? '—');
  const unit = control.kind === 'number' ? unitOf(field.row.unit, settings.value) : null;
  const described = [unit === null ? null : `${id}-unit`, help ?? null].filter((each) => each !== null).join(' ');
  const about = { id, 'aria-invalid': invalid, ...(described !== '' && { 'aria-describedby': described }) };
  switch (control.kind) {
    case 'number': {
      const input = (
        <TypedInput
          about={about}
          inputMode="decimal"
          class="num"
          text={value === undefined ? '' : String(value)}
          placeholder={placeholder}
          keep={(text) => onChange(numberFrom(text, value))}
          onStep={(text, by) => onChange(stepped(numberFrom(text, value), by))}
        />
      );
      if (unit === null) return input;
      return (
        <span class="unit-field">
          {input}
          <span id={`${id}-unit`} class="unit">
            {unit}
          </span>
        </span>
      );
    }
    case 'yes': {
      const usual = field.usual === 'true';
      return (
        <input
          {...about}
          type="checkbox"
          checked={(value ?? usual) === true}
          indeterminate={field.mixed ?? false}
          onChange={({ currentTarget: { checked } }) => onChange(checked === usual ? undefined : checked)}
        />
      );
    }
    case 'color':
      return (
        <span class="color-field">
          <input
            type="color"
            class={typeof value === 'string' || field.usual !== undefined ? '' : 'unset'}
            aria-label={texts.choose(field.label)}
            value={typeof value === 'string' ? value : (field.usual ?? '#000000')}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
          <TypedInput
            about={about}
            class="num"
            maxLength={7}
            placeholder={placeholder}
            text={typeof value === 'string' ? value : ''}
            keep={(text) => onChange(text.trim() || undefined)}
          />
        </span>
      );
    case 'colors': {
      const colors = Array.isArray(value) ? (value as readonly string[]) : [];
      return (
        // The label belongs to the first control. Disabled buttons stay, so that the focus is not lost.
        <span class="color-field" role="group" aria-label={field.label}>
          {colors.map((color, place) => (
            <input
              {...(place === 0 && about)}
              key={place}
              type="color"
              aria-label={texts.chooseNth(field.label, place + 1)}
              value={color}
              onChange={(event) => onChange(colors.with(place, event.currentTarget.value))}
            />
          ))}
          <button
            type="button"
            class="bt"
            aria-label={texts.addColour}
            aria-disabled={colors.length >= control.max}
            onClick={() => colors.length < control.max && onChange([...colors, colors[0] ?? '#000000'])}
          >
            +
          </button>
          <button
            type="button"
            class="bt"
            aria-label={texts.removeColour}
            aria-disabled={colors.length <= control.min}
            onClick={() => colors.length > control.min && onChange(colors.slice(0, -1))}
          >
            −
          </button>
        </span>
      );
    }
    case 'choice':
    case 'file':
    case 'clip':
    case 'row':
      return (
        <select
          {...about}
          value={field.mixed ? MIXED : typeof value === 'string' ? value : (fixed ?? '')}
          onChange={(event) => onChange(chosen(event.currentTarget.value, fixed))}
        >
          {field.mixed && (
            <option value={MIXED} disabled>
              {texts.mixed}
            </option>
          )}
          {!field.required && fixed === undefined && (
            <option value="">{unsetWords(field.owner, field.name, field.usual)}</option>
          )}
          {choicesOf(field, control, value).map(([choice, words]) => (
            <option key={choice} value={choice}>
              {words}
            </option>
          ))}
        </select>
      );
    case 'text':
      if (control.long) {
        return <TypedArea about={about} text={typeof value === 'string' ? value : ''} keep={onChange} />;
      }
      return (
        <TypedInput
          about={about}
          placeholder={placeholder}
          text={typeof value === 'string' ? value : ''}
          asTyped
          keep={(text) => onChange(text === '' && !field.required ? undefined : text)}
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

/** The option for mixed values. */
const MIXED = 'mixed values';

/** The default value is not written. */
function chosen(value: string, usual: string | undefined): string | undefined {
  return value === '' || value === usual ? undefined : value;
}

/** The options and their texts. For files: those that fit, and the current one in any case. */
function choicesOf(
  field: FieldDescription,
  control: Extract<FieldDescription['control'], { kind: 'choice' | 'file' | 'clip' | 'row' }>,
  value: unknown,
): readonly (readonly [choice: string, words: string])[] {
  if (control.kind === 'choice') {
    // The document may contain an alias of a choice.
    const isOther = typeof value === 'string' && value !== '' && !control.choices.includes(value);
    const all = isOther ? [value, ...control.choices] : control.choices;
    return all.map((choice) => [choice, choiceWords(field.name, choice)]);
  }
  if (control.kind === 'row' || control.kind === 'clip') {
    const { tier_list, timeline_data } = project.value;
    const all =
      control.kind === 'row'
        ? tier_list.rows.map(({ id, label }) => [id, label ?? id] as const)
        : timeline_data.videos.map(({ id }) => [id, id] as const);
    const isOther = typeof value === 'string' && !all.some(([id]) => id === value);
    return isOther ? [[value, texts.missing(value)], ...all] : all;
  }
  const { coming, media } = project.value.studio;
  const files = Object.entries({ ...coming, ...media })
    .filter(([file, entry]) => file === value || fitsField(field, entry))
    .map(([file, entry]) => [file, entry.name] as const);
  const own = control.also.map((sound) => [sound, choiceWords('sound', sound)] as const);
  const isKnown =
    typeof value !== 'string' || control.also.includes(value) || mediaOf(project.value, value) !== undefined;
  return isKnown ? [...own, ...files] : [[value, texts.missing(value)], ...own, ...files];
}

/** Parses a number, with a comma or a point; invalid input keeps the value before. */
function numberFrom(text: string, before: unknown): unknown {
  const trimmed = text.trim().replace(',', '.');
  if (trimmed === '') return undefined;
  const number = Number(trimmed);
  return Number.isFinite(number) ? number : before;
}

/** The up and down keys change a number by a tenth, with Shift by one. */
function stepOf({ key, shiftKey }: KeyboardEvent): number | null {
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return null;
  return (shiftKey ? 1 : 0.1) * (key === 'ArrowUp' ? 1 : -1);
}

/** A number, a step further. */
export function stepped(from: unknown, by: number): number {
  return Math.round(((typeof from === 'number' ? from : 0) + by) * 1000) / 1000;
}

interface TypedProps {
  readonly about: object;
  readonly text: string;
  readonly keep: (text: string) => void;
}

function TypedArea({ about, text, keep }: TypedProps) {
  return <textarea {...about} class="area" rows={3} {...useTyped(text, keep, { asTyped: true })} />;
}

interface TypedInputProps extends TypedProps {
  readonly inputMode?: 'decimal';
  readonly class?: string;
  readonly maxLength?: number;
  readonly placeholder: string;
  readonly asTyped?: boolean;
  readonly onStep?: (text: string, by: number) => void;
}

/** A text field that commits its value on change; the arrow keys up and down step a number. */
export function TypedInput({ about, text, keep, onStep, asTyped = false, ...rest }: TypedInputProps) {
  const typed = useTyped(text, keep, { asTyped });
  return (
    <input
      {...about}
      {...rest}
      {...typed}
      type="text"
      onKeyDown={(event) => {
        const by = onStep === undefined ? null : stepOf(event);
        if (by === null) return;
        event.preventDefault();
        typed.onBlur();
        onStep?.(event.currentTarget.value, by);
      }}
    />
  );
}
