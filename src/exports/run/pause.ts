/** Waits before another try after a fault of our own; ends early, without complaint, when `signal` aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = () => resolve();
  const timer = setTimeout(done, ms);
  signal.addEventListener('abort', done, { once: true });
  if (signal.aborted) done();
  await promise;
  clearTimeout(timer);
  signal.removeEventListener('abort', done);
}
