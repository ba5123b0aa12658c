import { SEAL_REFUSALS } from './refusal-rules.ts';
import { installFilter } from './seccomp.ts';

/** The launcher's argument to the program it executes: the filter is active, seal it. */
export const SEAL_ARGUMENT = 'seal';

/** Gives up what only the start needed: executing programs, outliving the parent. Of no use after media was touched. */
export function seal(): void {
  installFilter({ refuse: SEAL_REFUSALS });
}
