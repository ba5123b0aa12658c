import { AUTO } from './auto-fields.ts';
import type { Alignment } from './field.ts';
import { SETTINGS_FIELDS } from './settings-fields.ts';
import { TIER_LIST_FIELDS } from './tier-list-fields.ts';
import { TIMELINE_FIELDS } from './timeline-fields.ts';

/**
 * Every field of the three documents of a request: a table for each kind of object, a row for each field. From a row
 * come the check (`document-schemas.ts`), the parser's default (`filled`), JSON Schema and OpenAPI (`json-schema.ts`), the types
 * of the clients, the tables of the documentation, and the control, unit, placeholder and group in the studio's
 * inspector. Only the words are elsewhere, in `field-words.ts`, since a worker needs none of them.
 */
export const FIELDS = { auto: AUTO, ...TIMELINE_FIELDS, ...TIER_LIST_FIELDS, ...SETTINGS_FIELDS };

/** A kind of object that has fields. */
export type FieldOwner = keyof typeof FIELDS;

type Rows<O> = O extends FieldOwner ? (typeof FIELDS)[O] : never;
type Item<List> = List extends readonly (infer One)[] ? One : never;

/** The value of a field as it is sent. */
type ValueOf<Row> = Row extends { readonly type: 'number' | 'positive' | 'whole' }
  ? number
  : Row extends { readonly type: 'flag' }
    ? boolean
    : Row extends { readonly type: 'bitrate' }
      ? number | string
      : Row extends { readonly type: 'choice' | 'alignment'; readonly choices: infer C }
        ? Item<C>
        : Row extends { readonly type: 'object'; readonly of: infer O }
          ? Values<Rows<O>>
          : Row extends { readonly type: 'named'; readonly choices: infer C; readonly of: infer O }
            ? Item<C> | Values<Rows<O>>
            : Row extends { readonly type: 'color-or-kind'; readonly of: infer O }
              ? string | Values<Rows<O>>
              : Row extends { readonly type: 'by-preset'; readonly of: infer O }
                ? Record<string, Values<Rows<O>>>
                : Row extends { readonly type: 'choice-by-id'; readonly choices: infer C }
                  ? Record<string, Item<C>>
                  : Row extends { readonly type: 'list'; readonly of: infer O }
                    ? Values<Rows<O>>[]
                    : Row extends { readonly type: 'ids' | 'colors' }
                      ? string[]
                      : string;

type RequiredIn<Table> = {
  [Name in keyof Table]: Table[Name] extends { readonly required: true } ? Name : never;
}[keyof Table];

/** An object of the request as it is sent, checked. */
export type Values<Table> = Table extends unknown
  ? Flat<
      { [Name in RequiredIn<Table>]: ValueOf<Table[Name]> } & {
        [Name in Exclude<keyof Table, RequiredIn<Table>>]?: ValueOf<Table[Name]> | undefined;
      }
    >
  : never;

type Flat<Both> = { [Name in keyof Both]: Both[Name] };

type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;

/** Fields that the parser copies; it reads the others one by one. */
type Basic = 'number' | 'positive' | 'whole' | 'flag' | 'choice' | 'alignment' | 'color' | 'text';

/** As the planner gets it: colours in small letters, one name for each alignment. */
type Normal<Row> = Row extends { readonly type: 'alignment' } ? Alignment : ValueOf<Row>;

type Default<Row> = Row extends { readonly perPreset: true }
  ? null
  : Row extends { readonly default: (...given: never) => infer V }
    ? V extends undefined
      ? null
      : never
    : Row extends { readonly required: true } | { readonly default: unknown }
      ? never
      : null;

type BasicIn<Table> = {
  [Name in keyof Table]: Table[Name] extends { readonly type: Basic } ? Name : never;
}[keyof Table] &
  string;

/** The basic fields of a table in the planner's spelling; null: absent, and the planner finds the default. */
export type Filled<Table> = {
  readonly [Name in BasicIn<Table> as Camel<Name>]: Normal<Table[Name]> | Default<Table[Name]>;
};

/** The basic fields of a table that are given. */
export type Given<Table> = {
  readonly [Name in BasicIn<Table> as Camel<Name>]?: Normal<Table[Name]>;
};
