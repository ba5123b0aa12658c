/** Runs the work for each item, a few at a time. A failure is reported and does not stop the others. */
export async function settleEach<T>(
  items: Iterable<T> | AsyncIterable<T>,
  work: (item: T) => Promise<void>,
  onFault: (item: T, error: unknown) => void,
  atOnce = 1,
): Promise<void> {
  const running = new Set<Promise<void>>();
  try {
    for await (const item of items) {
      const done: Promise<void> = byItself(item, work, onFault).finally(() => running.delete(done));
      running.add(done);
      if (running.size >= atOnce) await Promise.race(running);
    }
  } finally {
    await Promise.all(running);
  }
}

async function byItself<T>(
  item: T,
  work: (item: T) => Promise<void>,
  onFault: (item: T, error: unknown) => void,
): Promise<void> {
  try {
    await work(item);
  } catch (error) {
    onFault(item, error);
  }
}
