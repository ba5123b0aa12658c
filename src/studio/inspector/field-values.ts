import type { Field } from '../../timeline/field.ts';
import { LANE_LOOKS } from '../document/lane-looks.ts';
import type { MediaEntry } from '../document/project.ts';
import { type Described, type FieldDescription, withUsual } from './field-descriptions.ts';

type Values = Readonly<Record<string, unknown>>;

/** A copy with a field changed; undefined if it has no fields left. */
export function withField(object: Values, name: string, value: unknown): Record<string, unknown> | undefined {
  const next = { ...object, [name]: value };
  if (value === undefined) delete next[name];
  return Object.keys(next).length === 0 ? undefined : next;
}

/**
 * Like `withField`, for an object that may be absent, such as a transition. Clearing a required choice removes the object. A required
 * choice that is missing gets its first value.
 */
export function withInner(
  fields: readonly FieldDescription[],
  object: Values,
  name: string,
  value: unknown,
): Record<string, unknown> | undefined {
  const needed = fields.filter(isNeeded);
  if (value === undefined && needed.some((each) => each.name === name)) return undefined;
  const next = withField(object, name, value);
  if (next === undefined) return undefined;
  const first = needed.map(({ name: own, control }) => [own, control.kind === 'choice' && control.choices[0]]);
  return { ...Object.fromEntries(first), ...next };
}

/** Whether the field is a required choice of its object. */
export function isNeeded({ required, control }: FieldDescription): boolean {
  return required && control.kind === 'choice';
}

/** The choice of a field that is a name or an object: the name, or `custom`. */
export function styleOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? 'custom' : undefined;
}

type Kinds = readonly MediaEntry['kind'][];

const PICTURES: Kinds = ['still', 'drawing', 'animation'];
const SOUNDS: Kinds = ['audio'];

/** The kinds of file that each chooser lists, by the owner of the field; fonts and sounds by the field name alone. */
const KINDS: Readonly<Record<string, Kinds>> = {
  item: PICTURES,
  background: ['still', 'animation'],
  video: kindsOf('videos'),
  audio: kindsOf('audios'),
  soundtrack: kindsOf('soundtracks'),
};

function kindsOf(lane: keyof typeof LANE_LOOKS): Kinds {
  return Object.keys(LANE_LOOKS[lane].takes) as MediaEntry['kind'][];
}

const FONT = /\.(ttf|otf|ttc|otc|woff2?)$/i;
const SUBTITLES = /\.(srt|vtt)$/i;

/** Whether a file fits a field. A file that the browser cannot read is judged by its name, since the service may read it. */
export function fitsField(
  { owner, row: { type } }: { readonly owner: string; readonly row: Pick<Field, 'type'> },
  file: Pick<MediaEntry, 'kind' | 'name'>,
): boolean {
  if (type === 'font') return FONT.test(file.name);
  if (owner === 'subtitleFile') return SUBTITLES.test(file.name);
  if (FONT.test(file.name) || SUBTITLES.test(file.name)) return false;
  const kinds = type === 'sound' ? SOUNDS : KINDS[owner];
  return kinds === undefined || file.kind === 'unreadable' || kinds.includes(file.kind);
}

/** Lists and overrides by preset cannot be edited for several entries. */
const OWN_CONTROLS = /^(json|by-preset)$/;

interface SharedField {
  readonly field: FieldDescription;
  /** undefined if it is absent in all entries, or different: then the field is `mixed`. */
  readonly value: unknown;
}

/** The fields that all entries have, each with its value. */
export function sharedFields(
  fields: Readonly<Record<Described, readonly FieldDescription[]>>,
  entries: readonly { readonly kind: Described; readonly value: object }[],
  circumstances: Parameters<typeof withUsual>[2],
): readonly SharedField[] {
  const kinds = [...new Set(entries.map(({ kind }) => kind))];
  const isShared = (field: FieldDescription) =>
    field.row.own !== true &&
    !OWN_CONTROLS.test(field.control.kind) &&
    kinds.every((kind) =>
      fields[kind].some((other) => other.name === field.name && isSame(other.control, field.control)),
    );
  return fields[kinds[0]!].filter(isShared).map((field) => {
    const [first, ...others] = entries.map(({ value }) => (value as Readonly<Record<string, unknown>>)[field.name]);
    const mixed = others.some((other) => !isSame(other, first));
    if (mixed) return { field: { ...field, mixed }, value: undefined };
    const [usual, ...different] = entries.map(({ value }) => withUsual(field, value, circumstances));
    return { field: different.every((other) => other.usual === usual!.usual) ? usual! : field, value: first };
  });
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
