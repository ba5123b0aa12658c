/** Enough for a program or a render on a busy machine, and less than the limit of a test. */
export const WAIT_SECONDS = 120;

/** What a test waits for, or an error that says what did not come: the limit of the test says only that it took too long. */
export async function within<T>(what: string, wait: PromiseLike<T>, seconds = WAIT_SECONDS): Promise<T> {
  let timer: NodeJS.Timeout;
  const limit = new Promise<never>((_, refuse) => {
    timer = setTimeout(() => refuse(new Error(`${what}: not within ${seconds} s`)), seconds * 1000);
  });
  try {
    return await Promise.race([wait, limit]);
  } finally {
    clearTimeout(timer!);
  }
}
