import type { ValueParser } from './value-parsers.ts';

/** One variable: how it is called, what it may be, what it is for. */
export interface Variable<T> {
  readonly name: string;
  /** As it would be written in the environment. */
  readonly default: string;
  readonly doc: string;
  readonly parse: ValueParser<T>;
  /** Not to be shown. */
  readonly secret: boolean;
}

export function variable<T>(name: string, parse: ValueParser<T>, fallback: string, doc: string): Variable<T> {
  return { name, default: fallback, doc, parse, secret: false };
}

/** A variable whose value nobody is shown; without it there is none. */
export function secret<T>(name: string, parse: ValueParser<T>, doc: string): Variable<T> {
  return { name, default: '', doc, parse, secret: true };
}
