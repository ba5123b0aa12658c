/** Yields the entries of a list, page by page; the next page is requested once the one before is used up. */
export async function* everyPage<Page extends { readonly next: string | null }, Entry>(
  page: (cursor: string | undefined) => Promise<Page>,
  entriesOf: (page: Page) => readonly Entry[],
): AsyncGenerator<Entry, void, undefined> {
  let cursor: string | undefined;
  do {
    const shown = await page(cursor);
    yield* entriesOf(shown);
    cursor = shown.next ?? undefined;
  } while (cursor !== undefined);
}
