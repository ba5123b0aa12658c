const ROUNDS = 3;

/** Processor time of this process, in milliseconds: how busy the machine and its disk are does not count. */
export async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** How many times longer the second work takes than the first: the least of several rounds of each, as collecting garbage only adds. */
export async function timesLonger(first: () => unknown, second: () => unknown): Promise<number> {
  const [ofFirst, ofSecond]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    ofFirst.push(await processorMs(first));
    ofSecond.push(await processorMs(second));
  }
  return Math.min(...ofSecond) / Math.max(1, Math.min(...ofFirst));
}
