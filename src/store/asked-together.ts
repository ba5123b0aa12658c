/** How many things are asked about in one statement. */
export const MOST_TOGETHER = 200;

/** `$1, $2 …` and their values: always as many, so that the statement's text is one, which a database plans once. */
export function askedTogether(values: readonly string[]): { readonly places: string; readonly parameters: string[] } {
  if (values.length === 0 || values.length > MOST_TOGETHER)
    throw new Error(`${values.length} cannot be asked together`);
  return { places: PLACES, parameters: Array.from({ length: MOST_TOGETHER }, (_, n) => values[n] ?? values[0]!) };
}

const PLACES = Array.from({ length: MOST_TOGETHER }, (_, n) => `$${n + 1}`).join(', ');
