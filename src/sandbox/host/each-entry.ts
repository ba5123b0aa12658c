import { opendir } from 'node:fs/promises';

/** How many entries are worked on at once: the thread pool for files has other users too. */
const AT_ONCE = 16;

/**
 * Calls `work` for each name in a folder, a few at a time, until one call returns false. A hostile child decides how many
 * names there are, so they are never all in memory.
 */
export async function eachEntry(folder: string, work: (name: string) => Promise<boolean>): Promise<void> {
  let batch: Promise<boolean>[] = [];
  for await (const { name } of await opendir(folder)) {
    const done = work(name);
    // Awaited below, but perhaps not before it fails.
    done.catch(() => {});
    batch.push(done);
    if (batch.length < AT_ONCE) continue;
    if ((await Promise.all(batch)).includes(false)) return;
    batch = [];
  }
  await Promise.all(batch);
}
