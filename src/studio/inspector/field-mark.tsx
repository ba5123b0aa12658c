import { firstFieldIn } from '../../timeline/project/placeholders.ts';
import { type Candidate, fileCandidate, placeOfPath, textCandidates } from '../document/field-places.ts';
import { findPlace } from '../document/template.ts';
import { openMenu } from '../kit/open-menu.ts';
import { project, readOnly } from '../session/session.ts';
import { makeFieldHere, showField } from '../session/shown-field.ts';
import * as texts from '../texts/en/series.ts';
import type { FieldDescription } from './field-descriptions.ts';

interface FieldMarkProps {
  readonly field: FieldDescription;
  readonly value: unknown;
  readonly path: string;
}

/** Beside a value of a template: the field that it is, or a button that makes it one. */
export function FieldMark({ field, value, path }: FieldMarkProps) {
  const { template } = project.value;
  if (template === undefined || template.episode !== undefined || path === '' || readOnly.value) return null;
  const name = fieldAt(path, value);
  if (name !== null) {
    return (
      <button
        type="button"
        class="field-mark"
        data-on="true"
        title={texts.showField(name)}
        onClick={() => showField(name)}
      >
        {`{{${name}}}`}
      </button>
    );
  }
  const candidates = candidatesAt(field, value, path);
  if (candidates.length === 0) return null;
  return (
    <button
      type="button"
      class="field-mark"
      aria-label={texts.makeField(field.label)}
      title={texts.makeThisField}
      onClick={(event) => {
        const [only, ...more] = candidates;
        const { left, bottom } = event.currentTarget.getBoundingClientRect();
        if (more.length === 0) makeFieldHere(only!);
        else openMenu({ kind: 'field', candidates }, { x: left, y: bottom });
      }}
    >
      {'{ }'}
    </button>
  );
}

/** The name of the field that stands at a path; null: none. */
function fieldAt(path: string, value: unknown): string | null {
  const { template, settings: _, ...rest } = project.value;
  const place = placeOfPath(project.value, path);
  const { bound = {}, fields = [] } = template ?? {};
  const isFile = /(^|_)field$/.test(path) && fields.some(({ name }) => name === value) && String(value) in rest.media;
  if (isFile) return String(value);
  const named = bound[place] ?? bound[`${place}/base`];
  return named ?? (typeof value === 'string' ? firstFieldIn(value) : null);
}

/** What a control's value may become; the menu of its label offers the same. */
export function candidatesAt(
  { label, control, usual, row }: FieldDescription,
  value: unknown,
  path: string,
): readonly Candidate[] {
  const open = project.value;
  const whole = placeOfPath(open, path);
  const found = findPlace(open, whole);
  if (found === null || row.type === 'id') return [];
  const there = found.holder[found.key];
  const place = typeof there === 'object' && there !== null && 'base' in there ? `${whole}/base` : whole;
  const shown = String(value ?? usual ?? '');
  switch (control.kind) {
    case 'text':
      return textCandidates(place, label, value);
    case 'color':
      return [{ type: 'color', label, place, value: value ?? usual ?? '#808080', shown }];
    case 'choice': {
      const first = value ?? usual ?? control.choices[0];
      return [{ type: 'choice', label, place, options: control.choices, value: first, shown }];
    }
    case 'number': {
      const number = Number(value ?? usual);
      return Number.isFinite(number) ? [{ type: 'number', label, place, value: number, shown }] : [];
    }
    case 'file': {
      const entry = typeof value === 'string' ? open.studio.media[value] : undefined;
      return entry === undefined ? [] : [{ ...fileCandidate(String(value), entry), label }];
    }
    default:
      return [];
  }
}
