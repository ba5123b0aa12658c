/**
 * For work that a test does not cancel. The runner's timeout ends a test that hangs; a signal of a file that times out would end
 * its later tests on a slow machine.
 */
export const uncancelled = new AbortController().signal;
