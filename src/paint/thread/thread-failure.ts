import { inspect } from 'node:util';
import { type ErrorKind, ExportError, type Issue } from '../../errors.ts';

/** An error on its way between threads: one that was foreseen, or a bug. */
export type ThreadFailure =
  | {
      readonly kind: ErrorKind;
      readonly code: string;
      readonly message: string;
      readonly path: string | undefined;
      readonly issues: readonly Issue[];
      readonly cause: string | undefined;
    }
  | { readonly bug: string };

export function failureOf(error: unknown): ThreadFailure {
  if (!(error instanceof ExportError)) return { bug: inspect(error) };
  const { kind, code, message, path, issues, cause } = error;
  return { kind, code, message, path, issues, cause: cause === undefined ? undefined : inspect(cause) };
}

export function errorOf(failure: ThreadFailure): Error {
  if ('bug' in failure) return new Error(`painting failed: ${failure.bug}`);
  const { kind, code, message, path, issues, cause } = failure;
  return new ExportError(kind, code, message, {
    issues,
    ...(path !== undefined && { path }),
    ...(cause !== undefined && { cause: new Error(cause) }),
  });
}
