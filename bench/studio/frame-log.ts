import type { Page } from 'playwright-core';

/** What a page's frames were like while something was done in it. */
export interface FrameLog {
  readonly seconds: number;
  readonly framesASecond: number;
  /** Milliseconds between pictures of the screen: the 95th of a hundred, and the longest. */
  readonly p95Ms: number;
  readonly longestMs: number;
  /** The share of pictures that came later than the screen shows them, from 0 to 1. */
  readonly lateShare: number;
  /** The longest that the page did not listen; 0 if it was never over 50 ms. */
  readonly stallMs: number;
  /** Processor time of the page's main thread for each picture: on a busy machine it says more than the pictures a second. */
  readonly cpuMs: number;
}

const START = `(() => {
  const log = { times: [], stalls: [], on: true };
  globalThis.frameLog = log;
  log.observer = new PerformanceObserver((list) => log.stalls.push(...list.getEntries().map((entry) => entry.duration)));
  log.observer.observe({ entryTypes: ['longtask'] });
  const tick = (now) => {
    log.times.push(now);
    if (log.on) requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
})()`;

const STOP = `(() => {
  const { times, stalls, observer } = globalThis.frameLog;
  globalThis.frameLog.on = false;
  stalls.push(...observer.takeRecords().map((entry) => entry.duration));
  observer.disconnect();
  return { times, stalls };
})()`;

/** Runs an action, and returns how smoothly the page went on meanwhile. */
export async function logFrames(page: Page, act: () => Promise<unknown>): Promise<FrameLog> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const cpuSeconds = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')!.value;
  };
  const before = await cpuSeconds();
  await page.evaluate(START);
  await act();
  const cpu = (await cpuSeconds()) - before;
  await session.detach();
  const { times, stalls } = (await page.evaluate(STOP)) as { times: number[]; stalls: number[] };
  const gaps = times
    .slice(1)
    .map((time, i) => time - times[i]!)
    .sort((a, b) => a - b);
  const seconds = (times.at(-1)! - times[0]!) / 1000;
  return {
    seconds,
    framesASecond: gaps.length / seconds,
    p95Ms: gaps[Math.floor(gaps.length * 0.95)] ?? 0,
    longestMs: gaps.at(-1) ?? 0,
    // Half a picture's time is what a clock may be off.
    lateShare: gaps.filter((gap) => gap > 25).length / Math.max(1, gaps.length),
    stallMs: Math.max(0, ...stalls),
    cpuMs: (cpu * 1000) / Math.max(1, gaps.length),
  };
}
