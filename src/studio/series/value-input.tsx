import { useRef } from 'preact/hooks';
import type { TemplateField } from '../../timeline/project/template-fields.ts';
import { type TypedStep, withinStep } from '../kit/typing.ts';
import { useTyped } from '../kit/use-typed.ts';

interface ValueInputProps {
  readonly id: string;
  readonly field: TemplateField;
  readonly value: unknown;
  /** undefined: no value. */
  readonly onChange: (value: unknown) => void;
  readonly invalid: boolean;
  /** The ids of what describes it. */
  readonly described?: string | undefined;
}

/** A text longer than this gets several lines. */
const LONG_TEXT = 120;

/** The control for a value of a field; files and items have controls of their own. */
export function ValueInput(props: ValueInputProps) {
  const { id, field, value, onChange, invalid, described } = props;
  const picked = usePicked(onChange);
  const about = { id, 'aria-invalid': invalid, ...(described !== undefined && { 'aria-describedby': described }) };
  switch (field.type) {
    case 'choice':
      return (
        <select
          {...about}
          value={String(value ?? '')}
          onChange={(event) => onChange(event.currentTarget.value || undefined)}
        >
          {(value === undefined || !field.required) && <option value="">—</option>}
          {field.options.map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </select>
      );
    case 'color':
      return (
        <span class="color-field">
          <input
            type="color"
            aria-label={field.label ?? field.name}
            value={typeof value === 'string' ? value : '#000000'}
            {...picked}
          />
          <Text {...{ about, value, onChange }} class="num" />
        </span>
      );
    case 'number':
      return (
        <Text {...{ about, value }} class="num" inputMode="decimal" onChange={(text) => onChange(numberFrom(text))} />
      );
    default:
      return <Text {...{ about, value, onChange }} long={isLong(field, value)} />;
  }
}

/** A colour picker gives every colour that the pointer crosses: all until it closes are one step. */
function usePicked(onChange: (value: string) => void) {
  const step = useRef<TypedStep | null>(null);
  const end = () => {
    step.current = null;
  };
  return {
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => {
      step.current ??= { last: undefined };
      withinStep(step.current, () => onChange(currentTarget.value));
    },
    onChange: end,
    onBlur: end,
  };
}

function isLong({ max }: TemplateField, value: unknown): boolean {
  return (max !== null && max > LONG_TEXT) || (typeof value === 'string' && /\n/.test(value));
}

/** The number of a text; a text that is none stays, and is an error of the field. */
function numberFrom(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  const number = Number(text.trim().replace(',', '.'));
  return Number.isFinite(number) ? number : text;
}

interface TextProps {
  readonly about: { readonly id: string; readonly 'aria-invalid': boolean };
  readonly value: unknown;
  readonly onChange: (text: string | undefined) => void;
  readonly class?: string;
  readonly inputMode?: 'decimal';
  readonly long?: boolean;
}

function Text({ about, value, onChange, long = false, ...rest }: TextProps) {
  const typed = useTyped(value === undefined ? '' : String(value), (text) => onChange(text === '' ? undefined : text), {
    asTyped: true,
  });
  return long ? (
    <textarea class="area" rows={3} {...about} {...typed} />
  ) : (
    <input type="text" {...about} {...rest} {...typed} />
  );
}
