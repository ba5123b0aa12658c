import type { ErrorKind } from '../../errors.ts';

/** The exit code of each kind of failure. */
const EXIT_CODES: Readonly<Record<ErrorKind, number>> = {
  internal: 1,
  malformed: 2,
  invalid: 2,
  unsupported: 2,
  too_large: 2,
  missing: 3,
  unavailable: 4,
  cancelled: 130, // as after Ctrl-C
};

/** The exit code for a failure of that kind. */
export function exitCode(kind: ErrorKind): number {
  return EXIT_CODES[kind];
}
