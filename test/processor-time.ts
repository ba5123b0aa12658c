/** What collects garbage or shares its caches with neighbours needs several tries; what grows too fast fails all of them. */
const ROUNDS = { least: 2, most: 12 };

/** Processor time of this process, in milliseconds: how busy the machine and its disk are does not count. */
export async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * How many times longer the second work takes than the first, by the least time of several rounds of each: neighbours and garbage
 * only add. It measures until the result is below the limit, or until more rounds would not change it.
 */
export async function timesLonger(first: () => unknown, second: () => unknown, limit: number): Promise<number> {
  const least = { first: Number.POSITIVE_INFINITY, second: Number.POSITIVE_INFINITY };
  let times = Number.POSITIVE_INFINITY;
  for (let round = 1; round <= ROUNDS.least || (times >= limit && round <= ROUNDS.most); round += 1) {
    least.first = Math.min(least.first, await processorMs(first));
    least.second = Math.min(least.second, await processorMs(second));
    times = least.second / Math.max(1, least.first);
  }
  return times;
}
