/** Does the work for each; one that fails is told of, and does not stop the rest. */
export async function eachByItself<T>(
  items: Iterable<T> | AsyncIterable<T>,
  work: (item: T) => Promise<void>,
  onFault: (item: T, error: unknown) => void,
): Promise<void> {
  for await (const item of items) {
    try {
      await work(item);
    } catch (error) {
      onFault(item, error);
    }
  }
}
