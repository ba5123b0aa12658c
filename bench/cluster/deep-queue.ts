import { StubStore } from './stub-store.ts';

const CHUNKS = 1_000;
const CLAIMS = 200;

/** How long a single claim takes, with this many waiting jobs of one tenant and some of nine others; milliseconds. */
export async function deepQueue(url: string, waiting: number): Promise<number[]> {
  await using node = await StubStore.open(url);
  for (let n = 0; n < waiting; n += CHUNKS) await node.create(CHUNKS, 'crowd');
  for (let n = 1; n < 10; n += 1) await node.create(CLAIMS / 10, `guest-${n}`);
  const timesMs: number[] = [];
  for (let n = 0; n < CLAIMS; n += 1) {
    const beganMs = performance.now();
    if (!(await node.claim())) throw new Error('nothing waits');
    timesMs.push(performance.now() - beganMs);
  }
  return timesMs;
}
