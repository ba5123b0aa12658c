import { frames } from '../../time.ts';
import { say } from '../kit/messages.ts';
import { decided } from '../session/session.ts';
import { type UnfinishedTake, unfinishedTakes } from '../session/take.ts';
import { lastFrame } from '../session/timeline.ts';
import { discardTake, keepTake } from './keep-take.ts';
import { putRecording } from './put-recording.ts';
import { takesFolder } from './record/take-file.ts';
import { wholeBytes } from './record/whole-part.ts';
import { forgetLog, readLog } from './take-log.ts';

/** Looks for recordings that were under way when their page went away. Those that another tab is making are left alone. */
export async function findUnfinished(): Promise<void> {
  const found: UnfinishedTake[] = [];
  try {
    const folder = await takesFolder();
    const held = new Set((await navigator.locks?.query())?.held?.map(({ name }) => name));
    for await (const name of folder.keys()) {
      if (held.has(name)) continue;
      const file = await (await folder.getFileHandle(name)).getFile();
      const bytes = await wholeBytes(file);
      if (bytes > 0) found.push({ name, bytes, at: file.lastModified });
      else await folder.removeEntry(name);
    }
  } catch {
    // A browser that keeps nothing has left nothing behind.
  }
  unfinishedTakes.value = found;
}

/** Puts it onto the timeline, with what was done in it as far as that is known. */
export async function useUnfinished({ name }: UnfinishedTake): Promise<void> {
  const entry = await keepTake(name, decided.value.studio.media).catch(() => null);
  if (entry === null) {
    say('Nothing of the recording can be read.', 'bad');
    return;
  }
  const log = readLog(name);
  putRecording({
    entry,
    at: frames(log?.at ?? lastFrame.value),
    seconds: entry.duration,
    cuts: [],
    performance: log === null ? { start: [], acts: [], up: null } : { ...log.performance, up: null },
    layout: log?.layout ?? null,
  });
  forgetLog();
  gone(name);
}

export async function discardUnfinished({ name }: UnfinishedTake): Promise<void> {
  await discardTake(name);
  gone(name);
}

function gone(name: string): void {
  unfinishedTakes.value = unfinishedTakes.value.filter((take) => take.name !== name);
}
