import { SEAL_REFUSALS } from './refusal-rules.ts';
import { installFilter } from './seccomp.ts';

/** The launcher's argument to the program it executes: the filter is active, seal it. */
export const SEAL_ARGUMENT = 'seal';

/**
 * Gives up the rights that only the start needs: executing programs, outliving the parent. Useless after media was
 * read.
 */
export function seal(): void {
  installFilter({ refuse: SEAL_REFUSALS });
}
