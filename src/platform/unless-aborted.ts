/** The result of `work`, or the reason of `signal` if it aborts first; the work then continues without a reader. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const giveUp = () => reject(signal.reason);
  if (signal.aborted) giveUp();
  signal.addEventListener('abort', giveUp, { once: true });
  void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  return promise;
}
