import type { Histogram } from 'prom-client';

const EVERY_MS = 100;

/**
 * Measures how late timers are, ten times a second: the time that every request waits before it is handled. The
 * histogram of requests cannot see that, because its clock starts when one is handled.
 * Stops when disposed. Does not keep the process alive.
 */
export function watchLoopDelay(delays: Pick<Histogram, 'observe'>): Disposable {
  let dueMs = performance.now() + EVERY_MS;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    delays.observe(Math.max(0, nowMs - dueMs) / 1000);
    dueMs = nowMs + EVERY_MS;
  }, EVERY_MS).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
