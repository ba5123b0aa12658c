import type { LayoutName } from '../document/layout-commands.ts';
import type { Performance } from '../document/take/performance.ts';
import type { TakePart } from './record/recorder-messages.ts';

/** The actions of a running take. If the page closes, they can be restored with the recording. Times are seconds of the take. */
interface TakeLog {
  /** The first file of the recording. */
  readonly name: string;
  readonly files: readonly TakePart[];
  readonly at: number;
  readonly layout: LayoutName | null;
  readonly performance: Performance;
}

const FILE = 'take-log.json';

/** The last log that is not written yet; null removes the file. */
let waiting: TakeLog | null | undefined;
let writing: Promise<void> = Promise.resolve();

/** Uses a file, since browsers write localStorage to disk much later, and less often the more it changes. */
export function writeLog(log: TakeLog): void {
  put(log);
}

export function forgetLog(): void {
  put(null);
}

/** The log of the take with that file; null if there is none. */
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

/** Writes one log at a time; of those that arrive meanwhile only the last. */
function put(log: TakeLog | null): void {
  const isQueued = waiting !== undefined;
  waiting = log;
  if (isQueued) return;
  writing = writing.then(async () => {
    const next = waiting!;
    waiting = undefined;
    // Ignored: the recording matters more, and is another file.
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
