import { useId } from 'preact/hooks';
import type { Issue } from '../../errors.ts';
import { shapeOf } from '../../plan/model/canvas.ts';
import { plainTheme } from '../../plan/place/plan-theme.ts';
import { BACKGROUND_FIELDS, BACKGROUNDS, THEMES, type ThemeName } from '../../timeline/choices.ts';
import { Icon } from '../kit/icon.tsx';
import { opensMenu } from '../kit/open-menu.ts';
import { formatName } from '../kit/shown-values.ts';
import { project, settings } from '../session/session.ts';
import { shownPreset } from '../session/shown-preset.ts';
import * as texts from '../texts/en/inspector.ts';
import { choiceWords } from './choice-words.ts';
import { type FieldDescription, withUsual } from './field-descriptions.ts';
import { FieldInput } from './field-input.tsx';
import { candidatesAt, FieldMark } from './field-mark.tsx';
import { isNeeded, styleOf, withField, withInner } from './field-values.ts';

interface FieldProps {
  readonly field: FieldDescription;
  readonly value: unknown;
  /** undefined removes the field. */
  readonly onChange: (value: unknown) => void;
  /** The JSON Pointer of the field, and the issues there. */
  readonly path: string;
  readonly errors: readonly Issue[];
  readonly warnings: readonly Issue[];
}

/** A field with its label, its help while it has the focus, and its errors. */
export function Field(props: FieldProps) {
  const { field, value, onChange, path, errors, warnings } = props;
  const id = useId();
  const { control } = field;
  if (control.kind === 'object' || control.kind === 'named-object' || control.kind === 'by-preset')
    return <Nested {...props} />;
  if (control.kind === 'color-or-kind') return <ByKind {...props} control={control} />;
  const wrong = errors.find((issue) => issue.path === path);
  const doubtful = warnings.find((issue) => issue.path === path);
  const words = field.help.replaceAll('`', '');
  const help = words === '' ? undefined : `${id}-help`;
  return (
    <div
      class={`fld ${control.kind === 'yes' ? 'inline' : ''} ${wrong === undefined ? '' : 'wrong'}`}
      data-field={field.name}
    >
      <FieldMark field={field} value={value} path={path} />
      <label
        for={id}
        title={words || undefined}
        onContextMenu={(event) => {
          const candidates = candidatesAt(field, value, path);
          if (path !== '' && candidates.length > 0) opensMenu({ kind: 'field', candidates })(event);
        }}
      >
        {field.label}
      </label>
      <FieldInput id={id} help={help} field={field} value={value} onChange={onChange} invalid={wrong !== undefined} />
      {help !== undefined && (
        <p id={help} class="hint">
          {words}
        </p>
      )}
      {wrong !== undefined && <FieldNote issue={wrong} bad />}
      {doubtful !== undefined && <FieldNote issue={doubtful} bad={false} />}
    </div>
  );
}

/** What defaults depend on besides their entry. */
export function circumstances() {
  return { settings: settings.value, shape: shapeOf(shownPreset.value) };
}

export function FieldNote({ issue, bad }: { readonly issue: Issue; readonly bad: boolean }) {
  return (
    <p class={`field-note ${bad ? 'isbad' : 'iswarn'}`}>
      <Icon name={bad ? 'error' : 'warn'} />
      <span>{issue.message}</span>
    </p>
  );
}

/** A field with nested fields. */
function Nested({ field, value, onChange, path, errors, warnings }: FieldProps) {
  const { control } = field;
  if (control.kind === 'by-preset') return <ByPreset {...{ field, value, onChange, path, errors, warnings }} />;
  if (control.kind !== 'object' && control.kind !== 'named-object') return null;
  const named = typeof value === 'string' ? value : undefined;
  const inner = asRecord(value);
  const isNamed = control.kind === 'named-object';
  const hasBase = isNamed && control.hasBase;
  const base = hasBase
    ? (named ?? String(inner.base ?? field.usual ?? control.choices[0]))
    : isNamed
      ? styleOf(value)
      : undefined;
  const themed = isNamed && isThemeName(base) ? themeWords(base) : {};
  // Its fields may depend on the base that is chosen, by name or in the object.
  const inForm = (each: FieldDescription) => withUsual(each, { ...inner, base }, circumstances());
  const set = (name: string, next: unknown) => {
    const from = named === undefined ? inner : hasBase ? { base: named } : {};
    onChange(field.required ? withField(from, name, next) : withInner(control.fields, from, name, next));
  };
  return (
    <details class="grp-fields">
      <summary>
        <Icon name="right" />
        {field.label}
        {field.mixed ? (
          <small>{texts.mixed}</small>
        ) : (
          base !== undefined && <small>{choiceWords(field.name, base)}</small>
        )}
      </summary>
      {isNamed && (
        <Field
          {...{ path, errors, warnings }}
          field={{
            ...field,
            label: hasBase ? texts.basedOn : texts.style,
            required: hasBase,
            control: { kind: 'choice', choices: control.choices },
          }}
          value={base}
          onChange={(next) => (hasBase && Object.keys(inner).length > 0 ? set('base', next) : onChange(next))}
        />
      )}
      <div class="fields">
        {/* With mixed values, a change of one nested field would replace the whole object. */}
        {(field.mixed ? [] : control.fields).map((each) => (
          <Field
            key={each.name}
            field={{
              ...inForm(each),
              ...(themed[each.name] !== undefined && { usual: themed[each.name] }),
              required: each.required && (field.required || !isNeeded(each)),
            }}
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

function isThemeName(name: string | undefined): name is ThemeName {
  return THEMES.some((theme) => theme === name);
}

/** The defaults of a theme, by field. (C47) */
function themeWords(name: ThemeName): Readonly<Record<string, string>> {
  const { panel, lane, line, text, card, corner } = plainTheme(name);
  return {
    panel_color: panel,
    lane_color: lane,
    line_color: line,
    text_color: text,
    card_color: card,
    corner: String(corner * 100),
  };
}

const COLOR = 'color';

/** The background: a colour, or a kind with fields of its own. (C61) */
function ByKind({
  control: { kinds, fields },
  ...props
}: FieldProps & { readonly control: Extract<FieldDescription['control'], { readonly kind: 'color-or-kind' }> }) {
  const { field, value, onChange, path, errors, warnings } = props;
  const inner = asRecord(value);
  const kind = BACKGROUNDS.find((each) => each === inner.kind);
  const own: readonly string[] = kind === undefined ? [] : BACKGROUND_FIELDS[kind];
  return (
    <>
      <Field
        {...{ path, errors, warnings }}
        field={{ ...field, required: true, usual: COLOR, control: { kind: 'choice', choices: [COLOR, ...kinds] } }}
        value={kind ?? COLOR}
        onChange={(next) => onChange(BACKGROUNDS.some((each) => each === next) ? firstOf(String(next)) : undefined)}
      />
      {kind === undefined && (
        <Field
          {...{ path, value, onChange, errors, warnings }}
          field={{ ...field, label: texts.colour, help: '', control: { kind: 'color' } }}
        />
      )}
      {fields
        .filter(({ name }) => own.includes(name))
        .map((each) => (
          <Field
            key={each.name}
            {...{ errors, warnings }}
            field={each}
            value={inner[each.name]}
            path={`${path}/${each.name}`}
            onChange={(next) => onChange(withField(inner, each.name, next))}
          />
        ))}
    </>
  );
}

/** The initial value of a kind: something visible, if possible. */
function firstOf(kind: string): object {
  const { timeline_data, studio } = project.value;
  const [picture] = Object.entries(studio.media).find(([, entry]) => entry.kind === 'still') ?? [];
  const [clip] = timeline_data.videos;
  if (kind === 'theme') return { kind };
  if (kind === 'gradient') return { kind, colors: ['#241a52', '#a3336f'] };
  if (kind === 'image') return { kind, ...(picture !== undefined && { file_field: picture, blur: 40 }) };
  return { kind, ...(clip !== undefined && { of: clip.id }) };
}

/** The overrides of the shown preset. (C42) */
function ByPreset({ field, value, onChange, path, errors, warnings }: FieldProps) {
  if (field.control.kind !== 'by-preset' || field.control.fields.length === 0) return null;
  const all = asRecord(value);
  const preset = shownPreset.value;
  const names = [preset.name, ...preset.aliases];
  const key = Object.keys(all).find((each) => names.includes(each)) ?? preset.aliases[0] ?? preset.name;
  const inner = asRecord(all[key]);
  return (
    <details class="grp-fields" open={Object.keys(inner).length > 0}>
      <summary>
        <Icon name="right" />
        {texts.differentIn(formatName(preset.name).toLowerCase())}
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

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
