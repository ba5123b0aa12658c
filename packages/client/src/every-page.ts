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

/** The query of a list; pairs of `metadata` are parameters of their own. */
export function listParameters({
  metadata = {},
  ...query
}: {
  readonly metadata?: Readonly<Record<string, string>>;
  readonly [name: string]: unknown;
}): URLSearchParams {
  const pairs = Object.entries(metadata).map(([key, value]) => [`metadata.${key}`, value] as const);
  const given = [...Object.entries(query), ...pairs].filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]));
}
