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

const FILE = 'take-log.json';

/** The last log that is not written yet; null: it is to be removed. */
let waiting: TakeLog | null | undefined;
let writing: Promise<void> = Promise.resolve();

/** A file, since browsers write localStorage to disk much later, and less often the more it is written. */
export function writeLog(log: TakeLog): void {
  put(log);
}

export function forgetLog(): void {
  put(null);
}

/** What was done in the take of that file; null where nobody knows. */
export async function readLog(name: string): Promise<TakeLog | null> {
  try {
    const root = await navigator.storage.getDirectory();
    const file = await (await root.getFileHandle(FILE)).getFile();
    const log = JSON.parse(await file.text()) as TakeLog;
    return log.name === name ? log : null;
  } catch {
    return null;
  }
}

/** One at a time; of those that come meanwhile only the last. */
function put(log: TakeLog | null): void {
  const isQueued = waiting !== undefined;
  waiting = log;
  if (isQueued) return;
  writing = writing.then(async () => {
    const next = waiting!;
    waiting = undefined;
    // The recording is what counts, and it is another file.
    await write(next).catch(() => {});
  });
}

async function write(log: TakeLog | null): Promise<void> {
  const root = await navigator.storage.getDirectory();
  if (log === null) return root.removeEntry(FILE);
  const writer = await (await root.getFileHandle(FILE, { create: true })).createWritable();
  await writer.write(JSON.stringify(log));
  await writer.close();
}
