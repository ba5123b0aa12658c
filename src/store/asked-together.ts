/** How many values one statement has at most. */
export const MOST_TOGETHER = 200;

/** `$1, $2 …` and their values. Their number is constant, so the database prepares one statement. */
export function askedTogether(values: readonly string[]): { readonly places: string; readonly parameters: string[] } {
  if (values.length === 0 || values.length > MOST_TOGETHER)
    throw new Error(`${values.length} cannot be asked together`);
  return { places: PLACES, parameters: Array.from({ length: MOST_TOGETHER }, (_, n) => values[n] ?? values[0]!) };
}

const PLACES = Array.from({ length: MOST_TOGETHER }, (_, n) => `$${n + 1}`).join(', ');
