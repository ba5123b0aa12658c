import { isMainThread } from 'node:worker_threads';

// Loaded into a service before its program (`node --import`): measures how long its event loop is held.
// A timer runs once in each turn in which it is due. The processor time between two of its runs is that of one long
// turn, and of the short ones before it. Time that the machine gives to other processes does not count.

const EVERY_MS = 2;

if (isMainThread) {
  let longest = 0;
  let before = process.threadCpuUsage();
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    longest = Math.max(longest, (user + system) / 1000);
  }, EVERY_MS).unref();
  // Prints the longest since the last time.
  process.on('SIGUSR2', () => {
    process.stdout.write(`loop held ${longest.toFixed(1)} ms\n`);
    longest = 0;
  });
}
