import type { ValueParser } from './value-parsers.ts';

/** One variable: its name, its parser, its purpose. */
export interface Variable<T> {
  readonly name: string;
  /** As it is written in the environment. */
  readonly default: string;
  readonly doc: string;
  readonly parse: ValueParser<T>;
  /** Never printed. */
  readonly secret: boolean;
}

export function variable<T>(name: string, parse: ValueParser<T>, fallback: string, doc: string): Variable<T> {
  return { name, default: fallback, doc, parse, secret: false };
}

/** A variable whose value is never printed; null by default. */
export function secret<T>(name: string, parse: ValueParser<T>, doc: string): Variable<T> {
  return { name, default: '', doc, parse, secret: true };
}
