/** Rejects with the first error once all have settled, so that the caller can then dispose what they used. */
export async function allOrFirstFault(work: readonly Promise<unknown>[]): Promise<void> {
  const ends = await Promise.allSettled(work);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
