import type { LayoutName } from '../document/layout-commands.ts';
import type { Performance } from '../document/take/performance.ts';
import type { TakePart } from './record/recorder-messages.ts';

/** What was done in a take that is under way, so that a page that goes away leaves it with its recording. Times are seconds of the take. */
interface TakeLog {
  /** The first file of the recording. */
  readonly name: string;
  readonly files: readonly TakePart[];
  readonly at: number;
  readonly layout: LayoutName | null;
  readonly performance: Performance;
}

const KEY = 'tiercut.take.log';

export function writeLog(log: TakeLog): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(log));
  } catch {
    // The recording is what counts; it lies elsewhere.
  }
}

/** What was done in the take of that file; null where nobody knows. */
export function readLog(name: string): TakeLog | null {
  try {
    const log = JSON.parse(localStorage.getItem(KEY) ?? 'null') as TakeLog | null;
    return log?.name === name ? log : null;
  } catch {
    return null;
  }
}

export function forgetLog(): void {
  localStorage.removeItem(KEY);
}
