/** What `work` comes to, or the reason of `signal` if that comes first; the work then goes on unheard. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const giveUp = () => reject(signal.reason);
  if (signal.aborted) giveUp();
  signal.addEventListener('abort', giveUp, { once: true });
  void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  return promise;
}
