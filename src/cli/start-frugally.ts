import { environmentWith } from '../config/environment.ts';

/**
 * V8 lets young objects pile up to a hundred megabytes and more before it looks which of them are still needed. Most are not:
 * they were an answer or a row, and are gone with it.
 */
const YOUNG_OBJECTS = '--max-semi-space-size';
const MOST_YOUNG_MEGABYTES = 8;

/** glibc gives every thread memory of its own to allocate from, and keeps there what was once used. */
const FEW_ARENAS = { MALLOC_ARENA_MAX: '2' };

/**
 * Has this process begin anew with the settings for memory that a service wants: half of what it would take otherwise under
 * load, and less to copy whenever it starts a render. They can be given at the start of a program only. What an operator has
 * set stays as it is.
 *
 * @param compiled a folder where it finds even its first files compiled.
 */
export function startFrugally(compiled: string | null): void {
  const environment = environmentWith({ ...FEW_ARENAS, ...(compiled !== null && { NODE_COMPILE_CACHE: compiled }) });
  const isSet = [...process.execArgv, environment.NODE_OPTIONS ?? ''].some((flags) => flags.includes(YOUNG_OBJECTS));
  // Whoever listens at a channel (`node --watch`) would lose it.
  if (isSet || process.connected || process.execve === undefined) return;
  const flags = [...process.execArgv, `${YOUNG_OBJECTS}=${MOST_YOUNG_MEGABYTES}`];
  process.execve(process.execPath, [process.execPath, ...flags, ...process.argv.slice(1)], environment);
}
