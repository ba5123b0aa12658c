/** Rejects with the first fault, once all are over: what they were given may go then. */
export async function allOrFirstFault(work: readonly Promise<unknown>[]): Promise<void> {
  const ends = await Promise.allSettled(work);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
