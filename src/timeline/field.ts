import type { ALIGNMENTS } from './choices.ts';
import type { CanvasShape } from './default-looks.ts';
import type { Bound } from './limits.ts';

/** What a number counts. `volume` and `crop` are as the settings say. (C17, C18) */
export type Unit =
  | 'seconds'
  | 'degrees'
  | 'percent'
  | 'pixels'
  | 'ems'
  | 'times'
  | 'framesPerSecond'
  | 'bitrate'
  | 'loudness'
  | 'decibels'
  | 'volume'
  | 'crop';

/** Fields that the inspector shows together, below the others. */
export type FieldGroup = 'place' | 'crop' | 'looks' | 'file' | 'units';

/** What a default may depend on besides the other fields of its entry. */
export interface Circumstances {
  readonly settings: object;
  /** Only for defaults that are `perPreset`. */
  readonly shape: CanvasShape;
}

/** The traits of every field. */
interface Traits<Value> {
  readonly required?: true;
  /** What an absent field means: a value, or a function of the other fields, the settings and the canvas. */
  readonly default?: Value | ((entry: never, circumstances: never) => Value | undefined);
  /** The choice that its default depends on: in the same object, else in the settings. Texts list its values. */
  readonly by?: string;
  /** Its default depends on the shape of the canvas: the planner finds it, once for each preset. */
  readonly perPreset?: true;
  readonly group?: FieldGroup;
  /** It is specific to one entry: the inspector does not change it for several at once. */
  readonly own?: true;
  /** For users who write documents by hand. */
  readonly developer?: true;
  /** Whether it has an effect; the inspector shows it only then, or if it is there. */
  readonly when?: (entry: never, settings: never) => boolean;
}

/** Any row, for code that goes through a table. */
export interface Field extends Traits<unknown> {
  readonly type: FieldType;
  readonly unit?: Unit;
  readonly from?: Bound;
  readonly to?: Bound;
  readonly allowed?: string;
  readonly choices?: readonly [string, ...string[]];
  readonly long?: true;
  /** The table of the object or objects. */
  readonly of?: string;
  readonly min?: number;
  readonly max?: Bound;
}

type FieldType =
  | 'number'
  | 'positive'
  | 'whole'
  | 'flag'
  | 'color'
  | 'choice'
  | 'alignment'
  | 'text'
  | NameType
  | 'bitrate'
  | 'object'
  | 'named'
  | 'color-or-kind'
  | 'by-preset'
  | 'choice-by-id'
  | 'list'
  | 'ids'
  | 'colors';

/** A text that is an id, or the name of a form field: of a file, a font, a sound, a row or a clip. */
type NameType = 'id' | 'file' | 'font' | 'sound' | 'row' | 'clip';

interface NumberTraits extends Traits<number> {
  readonly unit?: Unit;
  /** What is allowed, if it is more than the limits. */
  readonly allowed?: string;
}

/** A number from one limit to another. */
export function number<const T extends NumberTraits>(from: Bound, to: Bound, traits: T = NONE as T) {
  return { type: 'number', from, to, ...traits } as const;
}

/** A number above 0. */
export function positive<const T extends NumberTraits>(to: Bound, traits: T = NONE as T) {
  return { type: 'positive', to, ...traits } as const;
}

export function whole<const T extends NumberTraits>(from: Bound, to: Bound, traits: T = NONE as T) {
  return { type: 'whole', from, to, ...traits } as const;
}

/** Seconds of the timeline. */
export function seconds<const T extends NumberTraits>(traits: T = NONE as T) {
  return { type: 'number', from: 0, to: 'maxTimelineSeconds', unit: 'seconds', ...traits } as const;
}

export function flag<const T extends Traits<boolean>>(traits: T) {
  return { type: 'flag', ...traits } as const;
}

/** `#rrggbb`. */
export function color<const T extends Traits<string>>(traits: T = NONE as T) {
  return { type: 'color', ...traits } as const;
}

export function choice<const C extends readonly [string, ...string[]], const T extends Traits<C[number]>>(
  choices: C,
  traits: T = NONE as T,
) {
  return { type: 'choice', choices, ...traits } as const;
}

/** Of lines; `centre` and `middle` mean `center`. */
export function alignment<const T extends Traits<Alignment>>(alignments: typeof ALIGNMENTS, traits: T) {
  return { type: 'alignment', choices: alignments, ...traits } as const;
}

/** An alignment, without the other names for `center`. */
export type Alignment = 'left' | 'center' | 'right';

/** `long`: it may have several lines. */
export function text<const T extends Traits<string> & { readonly long?: true }>(traits: T = NONE as T) {
  return { type: 'text', ...traits } as const;
}

export function name<const N extends NameType, const T extends Traits<string>>(type: N, traits: T = NONE as T) {
  return { type, ...traits } as const;
}

/** kbit/s; `"192k"` too, since that is how ffmpeg users write it. */
export function bitrate<const T extends NumberTraits>(traits: T) {
  return { type: 'bitrate', from: 32, to: 512, ...traits } as const;
}

/** An object with the fields of another table. @param allowed as messages call it. */
export function object<const O extends string, const T extends Traits<never>>(
  of: O,
  allowed: string,
  traits: T = NONE as T,
) {
  return { type: 'object', of, allowed, ...traits } as const;
}

/** One of a few names, or an object with the fields of another table. */
export function named<
  const C extends readonly [string, ...string[]],
  const O extends string,
  const T extends Traits<C[number]> & { readonly allowed?: string },
>(choices: C, of: O, traits: T = NONE as T) {
  return { type: 'named', choices, of, ...traits } as const;
}

/** A colour, or an object with a kind. */
export function colorOrKind<const O extends string, const T extends Traits<string>>(of: O, traits: T) {
  return { type: 'color-or-kind', of, ...traits } as const;
}

/** From preset name to the fields of another table. (C42) */
export function byPreset<const O extends string>(of: O) {
  return { type: 'by-preset', of } as const;
}

/** From id to choice. */
export function choiceById<const C extends readonly [string, ...string[]]>(choices: C) {
  return { type: 'choice-by-id', choices } as const;
}

/** A list of objects with the fields of another table. */
export function listOf<const O extends string>(of: O, max: number, allowed: string) {
  return { type: 'list', of, max, allowed, own: true } as const;
}

/** A list of ids. */
export function ids(max: Bound) {
  return { type: 'ids', max } as const;
}

export function colors(min: number, max: number) {
  return { type: 'colors', min, max } as const;
}

const NONE = {};
